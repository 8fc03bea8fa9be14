/** Returns a warning for each file that was not packed because it may be a secret. */
export function leftOutWarnings(files: readonly string[]): string[] {
	return files.map(
		file => `Warning: ${file} was left out, because it may be a secret. To pack it, name the file itself in "files".`,
	)
}
