import { isDriverError } from '@roundhouse/kit'
import {
	type Ability,
	type CaseId,
	type Conformance,
	type ConformanceCase,
	cases,
	type Group,
	groups,
} from '@roundhouse/kit/conformance'
import { messageOf } from '../../base/errors.ts'
import { describeWall, machineWall } from '../driver-runtime/wall/wall.ts'
import { connectCases } from './cases/connect-cases.ts'
import { consoleCases } from './cases/console-cases.ts'
import { editsCases } from './cases/edits-cases.ts'
import { exportCases } from './cases/export-cases.ts'
import { faultsCases } from './cases/faults-cases.ts'
import { pagesCases } from './cases/pages-cases.ts'
import { processCases } from './cases/process-cases.ts'
import { refusals } from './cases/refusals.ts'
import type { Run } from './cases/run.ts'
import { schemaCases } from './cases/schema-cases.ts'
import { staticCases } from './cases/static-cases.ts'
import { tokensOf, toolsCases } from './cases/tools-cases.ts'
import { valuesCases } from './cases/values-cases.ts'
import { CaseFailure, DoesNotApply } from './findings.ts'
import { Lab } from './lab.ts'
import type { CaseResult, Finding, GroupResult, Report } from './report.ts'
import type { Subject } from './subject.ts'

/** Runs the conformance kit on a packed driver. */

const runs: Readonly<Record<CaseId, Run>> = {
	...staticCases,
	...processCases,
	...connectCases,
	...schemaCases,
	...pagesCases,
	...editsCases,
	...valuesCases,
	...consoleCases,
	...toolsCases,
	...exportCases,
	...faultsCases,
}

/** Judged after all others, because they look at what the driver printed and said in the whole run. */
const lastCases: ReadonlySet<CaseId> = new Set(['connect.canary', 'process.stop', 'process.quiet'])

/** Need no fixture. */
const isFirst = (id: CaseId) => id.startsWith('static.') || id === 'process.start'

/** For one call. Some cases make hundreds. */
const callLimitMs = 60_000

/** Which cases are run, and what follows them. */
export interface CaseOptions {
	/** Ids of cases, or groups; if empty, all. */
	readonly only?: readonly string[] | undefined
	/** Whether no case is run behind one that failed. */
	readonly failFast?: boolean | undefined
	/** Called at the end of each case. */
	readonly onCase?: ((result: CaseResult) => void) | undefined
}

/** Runs cases in the sandbox of this machine, one after another. @throws HostError `check/fixture_failed` */
export async function checkDriver(
	subject: Subject,
	file: Conformance,
	{ only = [], failFast = false, onCase, isUnconfined }: CaseOptions & { readonly isUnconfined: boolean },
): Promise<Report> {
	const sandbox = describeWall(await machineWall())
	await using lab = new Lab(subject, file, isUnconfined)
	const findings: Finding[] = []
	const results = new Map<CaseId, CaseResult>()
	const refused = new Set<Ability>()
	const attempt = async (one: ConformanceCase) => {
		const { id, rule } = one
		if (failFast && findings.length > 0) {
			results.set(id, { id, rule, outcome: 'absent', reason: 'It was not tried, because a case failed.', tookMs: 0 })
			return
		}
		const result = await tryCase(lab, one, { findings, refused })
		results.set(id, result)
		onCase?.(result)
	}
	const isWanted = (id: CaseId) =>
		only.length === 0 || only.includes(id) || only.some(group => id.startsWith(`${group}.`))
	// The start is always tried: nothing else can run without it.
	for (const one of cases.filter(({ id }) => id === 'process.start' || (isFirst(id) && isWanted(id))))
		await attempt(one)
	const others = cases.filter(({ id }) => !isFirst(id) && isWanted(id))
	if (lab.startMs === undefined) {
		const reason = 'The process did not start.'
		for (const { id, rule } of others) results.set(id, { id, rule, outcome: 'absent', reason, tookMs: 0 })
	} else {
		await lab.startFixture()
		for (const one of others.filter(({ id }) => !lastCases.has(id))) await attempt(one)
		for (const one of others.filter(({ id }) => lastCases.has(id))) await attempt(one)
	}
	const { manifest, version } = subject
	const inOrder = cases.flatMap(({ id }) => results.get(id) ?? [])
	return {
		driver: { id: manifest.id, version, api: manifest.engines.roundhouse },
		sandbox,
		...(lab.startMs !== undefined && { startMs: lab.startMs }),
		tools: {
			tokens: manifest.tools.reduce((sum, tool) => sum + tokensOf(lab, tool), 0),
			count: manifest.tools.length,
		},
		groups: groups.map(group => summaryOf(group, inOrder)),
		cases: inOrder,
		findings: cases.flatMap(({ id }) => findings.filter(finding => finding.id === id)),
	}
}

interface Collected {
	readonly findings: Finding[]
	/** Absent abilities whose refusal was tried. */
	readonly refused: Set<Ability>
}

async function tryCase(lab: Lab, one: ConformanceCase, { findings, refused }: Collected): Promise<CaseResult> {
	const { id, rule } = one
	const startedAt = performance.now()
	const before = findings.length
	const report = (place: string, sentence: string) => void findings.push({ id, place, sentence })
	const absent = 'needs' in one ? { ability: one.needs, reason: lab.file.can?.[one.needs] } : undefined
	let reason = absent?.reason
	try {
		if (absent?.reason === undefined) await withLimit(lab, runs[id](lab, report))
		else if (!refused.has(absent.ability)) {
			refused.add(absent.ability)
			await withLimit(lab, refusals[absent.ability]?.(lab, report))
		}
	} catch (error) {
		if (error instanceof DoesNotApply) reason ??= error.message
		else if (error instanceof CaseFailure) report(error.place, error.message)
		else if (isDriverError(error)) report(lab.lastCall, `It fails with ${error.code}: ${messageOf(error)}`)
		else report(lab.lastCall, messageOf(error))
	}
	const isFailed = findings.length > before
	return {
		id,
		rule,
		outcome: isFailed ? 'failed' : reason === undefined ? 'passed' : 'absent',
		...(reason !== undefined && !isFailed && { reason }),
		tookMs: Math.round(performance.now() - startedAt),
	}
}

/** Waits for a case. If a call takes too long, the process is ended, so that the next case starts another. */
async function withLimit(lab: Lab, work: Promise<void> | undefined): Promise<void> {
	const { promise, reject } = Promise.withResolvers<never>()
	const timer = setTimeout(() => {
		reject(new Error(`The driver did not answer within ${callLimitMs / 1000} seconds.`))
		void lab.endProcess()
	}, callLimitMs)
	lab.onCall = () => void timer.refresh()
	try {
		await Promise.race([work, promise])
	} finally {
		clearTimeout(timer)
		lab.onCall = () => {}
	}
}

function summaryOf(group: Group, results: readonly CaseResult[]): GroupResult {
	const own = results.filter(({ id }) => id.startsWith(`${group}.`))
	const count = (outcome: CaseResult['outcome']) => own.filter(result => result.outcome === outcome).length
	return { group, passed: count('passed'), failed: count('failed'), absent: count('absent') }
}
