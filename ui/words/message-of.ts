/** Returns the message of any thrown value, for the user. */
export function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error)
}

/** Returns whether the host answered with this error (docs/errors.md). */
export function hasCode(error: unknown, code: string): boolean {
	return error instanceof Error && 'code' in error && error.code === code
}
