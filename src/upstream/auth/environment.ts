/** Variables of the environment, in which the vendors' own tools put credentials. */
export type Environment = Readonly<Record<string, string | undefined>>;
