import { Kbd, Modal, Table } from "@mantine/core";

const KEYS = [
  [["j", "↓"], "next request, also on its page"],
  [["k", "↑"], "previous request, also on its page"],
  [["Enter"], "open the request"],
  [["Escape"], "back to the list"],
  [["/"], "search"],
  [["n"], "show new requests"],
  [["f"], "follow: show new requests automatically while the list is at its top"],
  [["?"], "this help"],
] as const;

/** The help for keyboard shortcuts. */
export function KeyHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keys">
      <Table aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {KEYS.map(([keys, meaning]) => (
            <Table.Tr key={meaning}>
              <Table.Th w={120} scope="row">
                {keys.map((key) => (
                  <Kbd key={key} mr={6}>
                    {key}
                  </Kbd>
                ))}
              </Table.Th>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
