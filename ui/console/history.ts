import type { ConsoleResult, PastRun } from '../../host/ui-server/api.ts'
import type { HostConnection } from '../api/client.ts'
import type { Pick as Line } from '../controls/picker.tsx'
import { createTask } from '../state/task.ts'
import { bytes, count, moment } from '../words/format.ts'
import type { Run } from './runs.ts'

/** What was run on a connection, in all its consoles and windows: the host keeps it. */
export function createHistory(host: HostConnection, connection: string) {
	const reading = createTask(call => host.call('history.list', { connection }, call))
	return {
		/** Reads it anew: other consoles write it too. */
		read: reading.run,
		past: () => reading.value() ?? [],
		fault: reading.error,
		/** What could not be written down was run all the same. */
		add: ({ typed, task, failure }: Run): void => {
			const run = { statement: typed, at: Date.now(), ...outcomeOf(task.value(), failure()) }
			host.call('history.add', { connection, run }).catch(() => {})
		},
	}
}

/** What is longer would not be kept at all. */
const longestStatus = 200

function outcomeOf(
	result: ConsoleResult | undefined,
	failure: string | undefined,
): Pick<PastRun, 'status' | 'tookMs' | 'sizeBytes'> {
	if (!result) return { status: (failure ?? 'Cancelled').slice(0, longestStatus) }
	const { status, tookMs, sizeBytes } = result
	return { status: status.slice(0, longestStatus), tookMs, ...(sizeBytes !== undefined && { sizeBytes }) }
}

/** A statement as a line of a list is read no further than this. */
const longestLine = 300

/** A past run as a line of the list. */
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
