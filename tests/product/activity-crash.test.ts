import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ActivityEntry } from '../../host/activity/activity-log.ts'
import { Roundhouse } from '../support/roundhouse.ts'

const version = '2026-07-28'

/** Calls tools sequentially on a few connections until the host is gone. Returns how many were answered. */
async function callUntilGone(url: string, token: string, onAnswer: (count: number) => void): Promise<number> {
	let answered = 0
	const caller = async () => {
		for (let id = 1; ; id++) {
			const meta = {
				'io.modelcontextprotocol/protocolVersion': version,
				'io.modelcontextprotocol/clientCapabilities': {},
			}
			const params = { name: 'list_connections', arguments: {}, _meta: meta }
			const response = await fetch(url, {
				method: 'POST',
				headers: {
					'Content-Type': 'application/json',
					'MCP-Protocol-Version': version,
					'Mcp-Method': 'tools/call',
					'Mcp-Name': 'list_connections',
					Authorization: `Bearer ${token}`,
				},
				body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }),
			})
			if (response.status !== 200) throw new Error(await response.text())
			await response.json()
			onAnswer(++answered)
		}
	}
	await Promise.allSettled(Array.from({ length: 4 }, caller))
	return answered
}

test('the log of a killed host is valid and contains every answered call', async () => {
	await using roundhouse = await Roundhouse.make()
	const token = await roundhouse.addToken('read-only')
	const { mcp, pid } = await roundhouse.serve()
	const answered = await callUntilGone(mcp.url, token, count => {
		if (count === 150) process.kill(pid, 'SIGKILL')
	})
	expect(answered).toBeGreaterThanOrEqual(150)
	const lines = (await readFile(join(roundhouse.home, 'activity.jsonl'), 'utf8')).split('\n').filter(Boolean)
	const calls = lines.map(line => JSON.parse(line) as ActivityEntry).filter(({ action }) => action.startsWith('tool.'))
	expect(calls.length).toBeGreaterThanOrEqual(answered)
	expect(await roundhouse.run(['activity', 'verify'])).toMatchObject({ code: 0 })
	// The next host continues the log.
	await roundhouse.serve()
	expect(await roundhouse.run(['activity', 'verify'])).toMatchObject({ code: 0 })
})
