import { firstLines } from '../../../base/first-lines.ts'

/** Returns warnings of files that were not packed because they may be secrets: of the first ones, and their number. */
export function leftOutWarnings(files: readonly string[]): string[] {
	const warnings = files.map(
		file => `Warning: ${file} was left out, because it may be a secret. To pack it, name the file itself in "files".`,
	)
	return firstLines(warnings, others => `Warning: ${others} more files or folders were left out.`)
}
