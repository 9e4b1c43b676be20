// Made by web/build.mjs from the files that define an element.
declare module 'drainlab:elements' {
  /** Tag → its file's module, loaded when it is asked for. */
  export const elements: Readonly<Record<string, () => Promise<unknown>>>;
}
