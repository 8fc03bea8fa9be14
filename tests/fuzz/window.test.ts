import { expect, test } from 'vitest'
import { fuzzWindow } from './window.ts'

test('2,000 inputs at the window’s port cause no status 500, no missing answer, no leak and no crash', async () => {
	const { answers } = await fuzzWindow(2000, 20_260_728)
	// The inputs are useful only if many of them reach a handler.
	for (const answer of ['message result', 'message error', 'request 200', 'request 404', 'upgrade 101', 'export 200'])
		expect(answers.get(answer), answer).toBeGreaterThan(answer.startsWith('export') ? 0 : 20)
})
