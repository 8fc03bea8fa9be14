import { messageOf } from '../../../base/errors.ts'
import { DoesNotApply } from '../findings.ts'
import type { Lab } from '../lab.ts'
import type { RunsOf } from './run.ts'

/** The driver's process: how it starts, stops and behaves. */

/** A busy machine takes ten times the time of an idle one. */
const startLimitMs = 5_000
/** The host kills a process that needs two seconds. */
const stopLimitMs = 1_900
/** A busy machine can delay one start or stop beyond the limit, but not each of these. */
const attempts = 3

export const processCases: RunsOf<'process'> = {
	'process.start': async (lab, report) => {
		for (let attempt = 0; attempt < attempts; attempt++) {
			const startedAt = performance.now()
			const process = await lab.startProcess().catch((error: unknown) => messageOf(error))
			if (typeof process === 'string') {
				const stack = lab.printed.join('\n')
				const [reason = process.replace(/^The driver .* did not start: /, '')] =
					/^\w*Error\b.*$/m.exec(stack.replaceAll(/^driver \S+: /gm, '')) ?? []
				return report(placeIn(stack) ?? 'driver.ts', `The process did not start: ${reason}`)
			}
			lab.startMs = Math.round(performance.now() - startedAt)
			await process.stop()
			if (lab.startMs <= startLimitMs) return
		}
		report('driver.ts', `The process was ready after ${lab.startMs} ms, the limit is ${startLimitMs}.`)
	},
	'process.stop': async (lab, report) => {
		let tookMs = 0
		for (let attempt = 0; attempt < attempts; attempt++) {
			tookMs = await stopTime(lab)
			if (tookMs <= stopLimitMs) return
		}
		report('close', `The process did not end within ${tookMs} ms after it was asked to stop.`)
	},
	'process.sample': async (lab, report) => {
		const { hasSample } = lab.subject.manifest
		const process = await lab.startProcess()
		const refused = await lab.refusal(() => process.startSample())
		await process.stop()
		if (hasSample && refused)
			report('startSample', `The manifest has hasSample, but no sample started: ${refused.message}`)
		if (!hasSample && !refused)
			report('package.json: roundhouse.hasSample', 'The driver has a sample, but hasSample is false.')
		if (!hasSample && refused) throw new DoesNotApply('The driver has no sample.')
	},
	'process.quiet': async (lab, report) => {
		// Output arrives apart from answers.
		await lab.endProcess()
		// A wrong answer is a finding of the case that asked for it.
		const lines = lab.printed
			.map(line => line.replace(/^driver \S+: /, ''))
			.filter(line => !line.startsWith('wrong answer'))
		for (const line of new Set(lines)) report(placeIn(line) ?? 'stderr', `The driver printed: ${firstLine(line)}`)
	},
}

/** @returns how many milliseconds a process with an open connection takes to stop */
async function stopTime(lab: Lab): Promise<number> {
	const process = await lab.startProcess()
	await lab.open(lab.settings, { process })
	const startedAt = performance.now()
	await process.stop()
	return Math.round(performance.now() - startedAt)
}

const firstLine = (text: string) => text.trim().split('\n', 1)[0]?.slice(0, 200) ?? ''

/** The first place of a stack in the package, without the folder of the check. */
function placeIn(stack: string): string | undefined {
	return /\/package\/([^\s:()]+:\d+)/.exec(stack)?.[1]
}
