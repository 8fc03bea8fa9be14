import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { HostConnection } from '../api/client.ts'
import { loadRecords } from './records.ts'

/** A host whose writes settle when the test decides, and a page that is neither hidden nor closed. */
beforeEach(() => {
	vi.stubGlobal('document', { addEventListener: () => {} })
	vi.stubGlobal('addEventListener', () => {})
	vi.useFakeTimers()
})
afterEach(() => {
	vi.useRealTimers()
	vi.unstubAllGlobals()
})

test('an older write of another window does not replace a pending later write', async () => {
	type Told = { readonly key: string; readonly value: string; readonly writer: string }
	let tell: (told: Told) => void = () => {}
	let written = Promise.withResolvers<void>()
	const host = {
		call: (method: string) => (method === 'workspace.read' ? Promise.resolve({}) : written.promise),
		on: (_: string, listener: (told: Told) => void) => {
			tell = listener
		},
		onLost: () => {},
		onReconnected: () => {},
	}
	// Records use only these methods.
	const records = await loadRecords(host as unknown as HostConnection)
	const heard: unknown[] = []
	records.onChange('a', value => heard.push(value))
	const theirs = (value: string) => tell({ key: 'a', value, writer: 'another' })
	records.set('a', 'mine')
	theirs('while it waits')
	await vi.advanceTimersByTimeAsync(1000)
	theirs('before mine')
	expect([records.get('a'), heard]).toEqual(['mine', []])
	// When the first of two writes ends, the other one is still running.
	const first = written
	written = Promise.withResolvers<void>()
	records.set('a', 'mine again')
	await vi.advanceTimersByTimeAsync(1000)
	first.resolve()
	await vi.advanceTimersByTimeAsync(0)
	theirs('before mine again')
	expect([records.get('a'), heard]).toEqual(['mine again', []])
	written.resolve()
	await vi.advanceTimersByTimeAsync(0)
	theirs('after mine')
	expect([records.get('a'), heard]).toEqual(['after mine', ['after mine']])
	const giveUp = records.own('a')
	theirs('while it is open here')
	expect([records.get('a'), heard]).toEqual(['after mine', ['after mine']])
	giveUp()
	theirs('after it')
	expect(records.get('a')).toBe('after it')
})
