import type { ConsoleResult, PastRun } from '../../host/api/api.ts'
import type { HostConnection } from '../api/client.ts'
import type { Pick as Line } from '../controls/picker.tsx'
import { statusOf } from '../results/answer.ts'
import type { Engine } from '../state/engine.tsx'
import type { TabConnection } from '../state/tab.ts'
import { createTask } from '../state/task.ts'
import { bytes, count, moment } from '../words/format.ts'
import type { Run } from './run.ts'

/** The runs of a connection in all consoles and windows, stored by the host. */
export function createHistory(host: HostConnection, { id: connection, engine: { rowNoun } }: TabConnection) {
	const reading = createTask(call => host.call('history.list', { connection }, call))
	return {
		/** Reads it again: other consoles add to it. */
		read: reading.run,
		past: () => reading.value() ?? [],
		fault: reading.error,
		/** A run that could not be stored still happened. */
		add: ({ typed, task, failure, stopped }: Run): void => {
			const refusal = failure()?.message ?? stopped() ?? 'Cancelled'
			const run = { statement: typed, at: Date.now(), ...outcomeOf(task.value(), refusal, rowNoun) }
			host.call('history.add', { connection, run }).catch(() => {})
		},
	}
}

/** Longer statements are not stored. */
const longestStatus = 200

function outcomeOf(
	result: ConsoleResult | undefined,
	refusal: string,
	rowNoun: Engine['rowNoun'],
): Pick<PastRun, 'status' | 'tookMs' | 'sizeBytes'> {
	if (!result) return { status: refusal.slice(0, longestStatus) }
	const { tookMs, sizeBytes } = result
	return {
		status: statusOf(result, rowNoun).slice(0, longestStatus),
		tookMs,
		...(sizeBytes !== undefined && { sizeBytes }),
	}
}

/** Characters of a statement that a list shows. */
const longestLine = 300

/** A past run as an entry of the list. */
export function pastPick({ statement, at, status, tookMs, sizeBytes }: PastRun, run: () => void): Line {
	const took = tookMs === undefined ? [] : [`${count(tookMs)} ms`]
	const size = sizeBytes === undefined ? [] : [bytes(sizeBytes)]
	const line = statement.replace(/\s+/g, ' ')
	return {
		id: `${at}/${line.slice(0, longestLine)}`,
		label: line.slice(0, longestLine),
		detail: [status.slice(0, 60), ...took, ...size, moment(at)].join(' · '),
		run,
	}
}
