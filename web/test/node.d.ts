// The little of node that unit tests use, so that the page's own code is
// type-checked without node's names in it.

declare module 'node:test' {
  export function test(name: string, run: () => void | Promise<void>): void;
  export default test;
}

declare module 'node:assert/strict' {
  const assert: {
    ok(value: unknown, message?: string): asserts value;
    equal<T>(actual: unknown, expected: T, message?: string): asserts actual is T;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    notDeepEqual(actual: unknown, expected: unknown, message?: string): void;
    throws(run: () => unknown, error?: (err: unknown) => boolean): void;
    fail(message: string): never;
  };
  export default assert;
}
