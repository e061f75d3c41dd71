import { Kbd, Modal, Table } from "@mantine/core";

const KEYS = [
  [["j", "↓"], "next request, also on its page"],
  [["k", "↑"], "previous request, also on its page"],
  [["Enter"], "open the request"],
  [["Escape"], "back to the list"],
  [["/"], "search"],
  [["n"], "show what is new"],
  [["f"], "follow: show what is new by itself while the list is at its top"],
  [["?"], "this help"],
] as const;

/** The help for keyboard shortcuts. */
export function KeyHelp({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keys">
      <Table aria-label="Keys and what they do">
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
