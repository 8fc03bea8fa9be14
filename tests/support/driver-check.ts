import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { kitVersion } from '@roundhouse/kit/version'
import type { Report } from '../../host/driver-check/report.ts'

/** Checks drivers of the tests with the conformance kit. */

export interface Checked {
	readonly folder: string
	/** Ids of cases or groups; if empty, all. */
	readonly only: readonly string[]
}

/**
 * Checks drivers in one process, several at a time. Returns the reports in the order of the drivers. @param variables of
 * the environment, which conformance files read
 */
export async function checkDrivers(
	drivers: readonly Checked[],
	variables: Readonly<Record<string, string>> = {},
): Promise<readonly Report[]> {
	const program = join(import.meta.dirname, 'check-program.ts')
	const args = ['--no-warnings', program, JSON.stringify(drivers)]
	const { stdout } = await promisify(execFile)(process.execPath, args, {
		maxBuffer: 64 * 1024 * 1024,
		env: { ...process.env, ...variables },
	})
	return JSON.parse(stdout)
}

/** A change of a file: a text in it, and its replacement. */
export type Edit = readonly [file: string, text: string, instead: string]

/** Applies an edit to the text of its file. */
export function withEdit(text: string, [file, before, after]: Edit): string {
	if (!text.includes(before)) throw new Error(`${file} has no ${JSON.stringify(before)}`)
	return text.replace(before, () => after)
}

/** Writes a driver from a template into a new folder, with changes. */
export async function writeFromTemplate(template: string, folder: string, edits: readonly Edit[] = []): Promise<void> {
	const source = join(import.meta.dirname, '..', '..', 'plugins', 'templates', template)
	await mkdir(folder)
	const files = await readdir(source)
	const astray = edits.find(([file]) => !files.includes(file))
	if (astray) throw new Error(`The template ${template} has no file ${astray[0]}`)
	for (const file of files) {
		let text = await readFile(join(source, file), 'utf8')
		text = text.replaceAll('{{id}}', 'subject').replaceAll('{{name}}', 'Subject').replaceAll('{{kit}}', kitVersion)
		text = edits.filter(edit => edit[0] === file).reduce(withEdit, text)
		await writeFile(join(folder, file), text)
	}
}
