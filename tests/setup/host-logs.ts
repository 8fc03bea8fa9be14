import { beforeEach, type RunnerTestCase } from 'vitest'
import { testedHosts } from '../support/tested-hosts.ts'

/** Adds a text to the error of a failed test, which CI prints. */
export function explain({ result }: Pick<RunnerTestCase, 'result'>, text: string): void {
	const [error] = result?.errors ?? []
	if (error) error.stack = `${error.stack ?? error.message}\n${text}`
}

/** Adds what the hosts of a failed test logged, and what still runs: a test that waits forever waits for one of them. */
beforeEach(({ onTestFailed }) => {
	for (const host of testedHosts) if (host.isDisposed) testedHosts.delete(host)
	onTestFailed(({ task }) => {
		for (const { log, running } of testedHosts) {
			if (log !== '') explain(task, `The host logged:\n${log}`)
			if (running.length > 0) explain(task, `Still running: ${running.join('; ')}`)
		}
	})
})
