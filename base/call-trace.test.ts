import { expect, test } from 'vitest'
import { CallTrace } from './call-trace.ts'

test('each message of a pipe is one line with its call, its size, and the time of the answer', () => {
	const lines: string[] = []
	const trace = new CallTrace({ caller: 'host', callee: 'postgres' }, line => lines.push(line))
	trace.call(7, 'gridPage', 214)
	trace.meanwhile(7, 'progress', 1)
	trace.about(7, 'cancel', 24)
	trace.answer(7, 'bytes', 48_112)
	trace.answer(8, 'error', 90)
	expect(lines.map(line => line.replace(/^[\d:.]+ /, '').replace(/[\d.]+ ms/, 'N ms'))).toEqual([
		'host → postgres: call #7 gridPage, 214 bytes\n',
		'postgres → host: progress #7 gridPage, 1 byte\n',
		'host → postgres: cancel #7 gridPage, 24 bytes\n',
		'postgres → host: bytes #7 gridPage, 48,112 bytes, N ms\n',
		'postgres → host: error #8 an unknown call, 90 bytes\n',
	])
})
