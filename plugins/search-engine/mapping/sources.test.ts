import { expect, test } from 'vitest'
import { Cancelled } from '../transport/failure.ts'
import { readSources } from './sources.ts'

test('a look-up that is stopped ends with the error of the driver, which completion expects', async () => {
	const transport = {
		send: async (_: unknown, signal: AbortSignal) => {
			await new Promise(resolve => signal.addEventListener('abort', resolve))
			throw new Cancelled(true)
		},
	}
	await expect(readSources(transport, AbortSignal.timeout(5))).rejects.toThrow(Cancelled)
})
