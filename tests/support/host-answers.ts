import { decode, encodeWithRaw, type WithRaw } from '@roundhouse/kit/encoded'
import type { Page } from 'playwright'
import type { HostMethod, ResultOf } from '../../host/api/api.ts'

/** Other answers of a host. */
export type Answers = { [M in HostMethod]?: (result: ResultOf<M>) => unknown }

/**
 * Changes the answers of the host to the page, call by call: answers that our host never gives, or gives only after
 * errors of the machine, or late. An entry can be set and removed while the page is open.
 */
export async function alterAnswers(page: Page, answers: Answers): Promise<void> {
	await page.routeWebSocket(/\/api$/, window => {
		const host = window.connectToServer()
		const asked = new Map<number, HostMethod>()
		window.onMessage(message => {
			const call = JSON.parse(String(message))
			if ('method' in call) asked.set(call.id, call.method)
			host.send(message)
		})
		host.onMessage(async message => {
			const parsed = typeof message === 'string' ? JSON.parse(message) : { id: message.readUInt32LE(0) }
			// The method is that of the call, so its result has the type that the answer takes.
			const alter = answers[asked.get(parsed.id) as HostMethod] as ((result: unknown) => unknown) | undefined
			if (!alter) return window.send(message)
			const read = typeof message === 'string' ? parsed : { ...parsed, result: decode(message.subarray(4)) }
			if (!('result' in read)) return window.send(message)
			const altered = await alter(read.result)
			if (typeof message === 'string') return window.send(JSON.stringify({ id: read.id, result: altered }))
			const head = Buffer.alloc(4)
			head.writeUInt32LE(read.id)
			window.send(Buffer.concat([head, encodeWithRaw(altered as WithRaw)]))
		})
	})
}
