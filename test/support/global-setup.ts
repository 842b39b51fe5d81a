/** Runs once before all test files. */
export function setup(): void {}
