import { access } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../../base/errors.ts'
import { hostVersion } from '../../../base/version.ts'
import { type CaseOptions, checkDriver } from '../../driver-check/check-driver.ts'
import { checkErrors } from '../../driver-check/errors.ts'
import {
	conformanceFile,
	conformancePlace,
	type LoadOptions,
	loadConformance,
} from '../../driver-check/load-conformance.ts'
import type { CaseResult, Finding, Report } from '../../driver-check/report.ts'
import { prepareSubject, type Subject } from '../../driver-check/subject.ts'
import { type CommandContext, print } from '../context.ts'
import { leftOutWarnings } from './left-out-warning.ts'
import { readmeWarnings } from './readme-warning.ts'

export interface CheckOptions extends LoadOptions {
	/** Ids of cases, or groups. Default: all. */
	readonly only?: readonly string[] | undefined
	readonly failFast?: boolean | undefined
}

/**
 * Runs the conformance kit on the driver in a folder, and prints what it found.
 * @returns why the folder cannot be checked, or `undefined`
 * @throws HostError `check/findings`, after it printed them
 */
export async function check(
	context: CommandContext,
	folder: string,
	options: CheckOptions,
): Promise<string | undefined> {
	const path = resolve(folder)
	const fault = await faultOfFolder(folder)
	if (fault !== undefined) return fault
	// A program that reads JSON shows its own progress.
	const { leftOut, ...outcome } = await attempt(path, { ...options, onCase: context.json ? undefined : printCase })
	const { findings } = outcome
	const warnings = [...leftOutWarnings(leftOut), ...(await readmeWarnings(path))]
	print(context, { ...outcome, warnings }, [textOf(outcome), ...warnings].join('\n'))
	if (findings.length > 0) throw checkErrors.make('findings', { driver: folder, count: findings.length })
	return undefined
}

/** Returns why a folder is no driver's, or `undefined`. */
export async function faultOfFolder(folder: string): Promise<string | undefined> {
	return access(join(folder, 'package.json')).then(
		() => undefined,
		() => `${folder} has no package.json. Name the folder of a driver, or run: roundhouse driver new NAME`,
	)
}

/** The findings that prevent a report. */
interface Unchecked {
	readonly findings: readonly Finding[]
}

/** Prints a case at its end: a whole check can take minutes. */
function printCase({ id, outcome, tookMs }: CaseResult): void {
	process.stderr.write(`${outcome.padEnd(8)}${id.padEnd(24)}${tookMs} ms\n`)
}

type Attempt = (Report | Unchecked) & Pick<Subject, 'leftOut'>

/** Returns the report, or the findings that prevent one. */
async function attempt(folder: string, options: LoadOptions & CaseOptions): Promise<Attempt> {
	const prepared = await prepare(folder).catch(notPacked)
	if (!('manifest' in prepared)) return { ...prepared, leftOut: [] }
	await using subject = prepared
	const { leftOut } = subject
	try {
		await using conformance = await loadConformance(folder, options)
		if (conformance) return { ...(await checkDriver(subject, conformance.file, options)), leftOut }
		const sentence = `The folder has no ${conformanceFile}, which says how the driver connects.`
		return { findings: [{ id: 'check.conformance', place: conformanceFile, sentence }], leftOut }
	} catch (error) {
		if (!isAboutConformance(error)) throw error
		const place = conformancePlace(error) ?? conformanceFile
		return { findings: [{ id: 'check.conformance', place, sentence: messageOf(error) }], leftOut }
	}
}

const isAboutConformance = (error: unknown) =>
	checkErrors.is(error, 'conformance_unreadable') || checkErrors.is(error, 'fixture_failed')

/** Errors of the bundler name their files; all others are about the manifest. */
function notPacked(error: unknown): Unchecked {
	const built = buildFailure.safeParse(error)
	if (!built.success) return { findings: [{ id: 'check.pack', place: 'package.json', sentence: messageOf(error) }] }
	return {
		findings: built.data.errors.map(({ text, location }) => ({
			id: 'check.pack',
			place: location ? `${location.file}:${location.line}` : 'package.json',
			sentence: /[.!?]$/.test(text) ? text : `${text}.`,
		})),
	}
}

/** What the bundler throws. */
const buildFailure = z.object({
	errors: z.array(
		z.object({ text: z.string(), location: z.object({ file: z.string(), line: z.number() }).nullable() }),
	),
})

async function prepare(folder: string): Promise<Subject> {
	// The bundler is loaded on demand, because only a checkout has it.
	const { packDriver } = await import('@roundhouse/registry/publisher/pack')
	const terms = { minHostVersion: hostVersion, publishedAt: new Date().toISOString() }
	return prepareSubject(folder, () => packDriver(folder, terms))
}

function textOf(outcome: Report | Unchecked): string {
	if (!('driver' in outcome)) return outcome.findings.map(findingLine).join('\n')
	const { driver, sandbox, startMs, tools, groups, cases, findings } = outcome
	const absent = cases.filter(({ outcome }) => outcome === 'absent')
	return [
		`${driver.id} ${driver.version}, driver API ${driver.api}: ${startMs === undefined ? 'not started' : `ready in ${startMs} ms`}; tools: ${tools.count}, ${tools.tokens} tokens in every conversation.`,
		sandbox,
		'',
		row('', ['passed', 'failed', 'absent']),
		...groups.map(({ group, passed, failed, absent }) => row(group, [passed, failed, absent])),
		...section(
			'Absent:',
			absent.map(({ id, reason }) => `${id.padEnd(24)}${reason}`),
		),
		...section('Findings:', findings.map(findingLine)),
	].join('\n')
}

const row = (name: string, values: readonly (string | number)[]) =>
	name.padEnd(10) + values.map(value => String(value).padStart(8)).join('')

const section = (heading: string, lines: readonly string[]) =>
	lines.length > 0 ? ['', heading, ...lines.map(line => `  ${line}`)] : []

const findingLine = ({ id, place, sentence }: Finding) => `${id.padEnd(24)}${place}: ${sentence}`
