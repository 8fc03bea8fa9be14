import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ManualClock } from '../../../tests/mcp/manual-clock.ts'
import { RequestStates, type StateBinding } from './request-state.ts'
import { StateFile } from './state-file.ts'

const binding: StateBinding = { callerKey: 'token', method: 'tools/call', params: { name: 'execute_query' } }
const content = { purpose: 'consent', state: { digest: 'd' } } as const
const opened = { purpose: 'consent', state: { digest: 'd' }, isConsented: false, connection: undefined }

/** Hosts that follow each other on one machine. */
async function openMachine() {
	const folder = await mkdtemp(join(tmpdir(), 'roundhouse-states-'))
	onTestFinished(() => rm(folder, { recursive: true, force: true }))
	const path = join(folder, 'call-states')
	const stored = new Map<string, string>()
	const secrets = {
		isLocked: false,
		get: async (key: string) => {
			if (secrets.isLocked) throw new Error('The keychain is locked.')
			return stored.get(key)
		},
		set: async (key: string, secret: string) => void stored.set(key, secret),
	}
	const clock = new ManualClock()
	return { path, clock, secrets, startHost: (at = clock) => new RequestStates(at, new StateFile(path, secrets)) }
}

test('a state outlives the host, and is valid once over all hosts', async () => {
	const { clock, startHost } = await openMachine()
	const [before, first] = [startHost(), startHost()]
	const state = await before.sign(binding, content)
	clock.advance(200_000)
	expect(await first.open(state, binding)).toEqual(opened)
	await expect(first.open(state, binding)).rejects.toThrow('was used already')
	await expect(startHost().open(state, binding)).rejects.toThrow('was used already')
})

test('a state that was used in one host is used in the next one', async () => {
	const { startHost } = await openMachine()
	const host = startHost()
	const [used, other] = await Promise.all([host.sign(binding, content), host.sign(binding, content)])
	await host.open(used, binding)
	const next = startHost()
	await expect(next.open(used, binding)).rejects.toThrow('was used already')
	expect(await next.open(other, binding)).toEqual(opened)
})

test('a state expires over a restart of the host, and with one of the machine', async () => {
	const { clock, startHost } = await openMachine()
	const state = await startHost().sign(binding, content)
	clock.advance(300_000)
	await expect(startHost().open(state, binding)).rejects.toThrow('has expired')
	const later = await startHost().sign(binding, content)
	// The monotonic clock begins again, and the other one was set back.
	await expect(startHost(new ManualClock()).open(later, binding)).rejects.toThrow('has expired')
})

test('a removed file makes earlier states invalid', async () => {
	const { path, startHost } = await openMachine()
	const state = await startHost().sign(binding, content)
	await rm(path)
	await expect(startHost().open(state, binding)).rejects.toThrow('does not belong to this call')
})

test('without the store of secrets a state is valid once, in its host alone', async () => {
	const { secrets, startHost } = await openMachine()
	secrets.isLocked = true
	const host = startHost()
	const [state, other] = await Promise.all([host.sign(binding, content), host.sign(binding, content)])
	expect(await host.open(state, binding)).toEqual(opened)
	await expect(host.open(state, binding)).rejects.toThrow('was used already')
	secrets.isLocked = false
	await expect(startHost().open(other, binding)).rejects.toThrow('does not belong to this call')
})

test('a state that cannot be marked as used in the file is not opened', async () => {
	const { path, startHost } = await openMachine()
	const first = startHost()
	const state = await first.sign(binding, content)
	const next = startHost()
	await next.sign(binding, content)
	await rm(path)
	await mkdir(join(path, 'in the way'), { recursive: true })
	await expect(next.open(state, binding)).rejects.toThrow()
})
