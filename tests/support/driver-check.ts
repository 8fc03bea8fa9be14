import { exec } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { kitVersion } from '@roundhouse/kit/version'
import { checkDriver } from '../../host/driver-check/check-driver.ts'
import { loadConformance } from '../../host/driver-check/load-conformance.ts'
import type { CaseResult, Report } from '../../host/driver-check/report.ts'
import { prepareSubject } from '../../host/driver-check/subject.ts'
import { packDriver } from '../../registry/publisher/pack.ts'

/** Checks drivers of the tests with the conformance kit. */

export interface Checked {
	readonly folder: string
	/** Ids of cases or groups; if empty, all. */
	readonly only: readonly string[]
	/** Whether the check stops at the first case that fails. */
	readonly failFast?: boolean
	readonly onCase?: (result: CaseResult) => void
}

const terms = { minHostVersion: '0.1.0', publishedAt: new Date().toISOString() }

/** Some cases only wait, for example for a server that never answers. More lanes than this delay cases with a limit. */
const lanes = 4

/** Checks drivers, several at a time. Returns the reports in the order of the drivers. */
export async function checkDrivers(drivers: readonly Checked[]): Promise<readonly Report[]> {
	const reports: Report[] = []
	const waiting = drivers.entries()
	await Promise.all(
		Array.from({ length: lanes }, async () => {
			// The lanes share one iterator, so each driver is checked once.
			for (const [index, driver] of waiting) reports[index] = await check(driver)
		}),
	)
	return reports
}

async function check({ folder, ...options }: Checked): Promise<Report> {
	await using subject = await prepareSubject(folder, () => packDriver(folder, terms))
	// The drivers are ours, and some start servers.
	await using conformance = await loadConformance(folder, { isUnconfined: true })
	if (!conformance) throw new Error(`${folder} has no conformance.ts`)
	return await checkDriver(subject, conformance.file, { ...options, isUnconfined: true })
}

/** A change of a file: a text in it, and its replacement. */
export type Edit = readonly [file: string, text: string, instead: string]

/** Applies an edit to the text of its file. */
export function withEdit(text: string, [file, before, after]: Edit): string {
	if (!text.includes(before)) throw new Error(`${file} has no ${JSON.stringify(before)}`)
	return text.replace(before, () => after)
}

const checkout = join(import.meta.dirname, '..', '..')

/** Does what `npm install` does in a driver's folder, with the packages of the checkout. */
async function installIn(folder: string): Promise<void> {
	const { dependencies = {}, scripts = {} } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
	for (const name of Object.keys(dependencies))
		await cp(join(checkout, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true })
	if (scripts.prepare) await promisify(exec)(scripts.prepare, { cwd: folder })
}

/** Writes a driver from a template into a new folder, with changes. */
export async function writeFromTemplate(template: string, folder: string, edits: readonly Edit[] = []): Promise<void> {
	const source = join(checkout, 'plugins', 'templates', template)
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
	await installIn(folder)
}
