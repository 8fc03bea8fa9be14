import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from '@roundhouse/kit/manifest'
import { silentLog } from '../../../base/log.ts'
import { openSupportDirectory } from '../../../base/support-directory.ts'
import { SavedConnections } from '../../../host/connections/saved-connections.ts'
import { Sessions } from '../../../host/connections/sessions.ts'
import { startMcpEndpoint, Tokens } from '../../../host/mcp/index.ts'
import { unattendedReaches } from '../../support/reaches.ts'
import { someTools } from './answers.ts'

const coreTools = 15

/** The real endpoint with authentication and all checks, and a catalogue that extends its list to 50 tools. */
export async function startBenchEndpoint(): Promise<{ url: string; token: string }> {
	const support = await openSupportDirectory(await mkdtemp(join(tmpdir(), 'roundhouse-bench-')))
	const nowhere = () => Promise.reject(new Error('The benchmark has no driver.'))
	const secrets = { description: 'none', get: nowhere, set: nowhere, delete: nowhere }
	const connections = await SavedConnections.open(support.file('connections.json'), secrets)
	const drivers = { installed: () => [], ensure: nowhere, process: nowhere, lease: () => nowhere, sample: nowhere }
	const sessions = new Sessions(connections, drivers, unattendedReaches(connections))
	const tokens = await Tokens.open(support.file('tokens.json'))
	// The part of a manifest that the endpoint reads.
	const manifest = {
		id: 'bench',
		displayName: 'Bench',
		tableNoun: { one: 'Table', many: 'Tables' },
		console: { language: 'a statement' },
		tools: someTools(50 - coreTools),
		prompts: [],
		resources: [],
		resourceTemplates: [],
	} as unknown as Manifest
	const endpoint = await startMcpEndpoint({
		support,
		connections,
		sessions,
		drivers: { installed: () => [manifest], onChange: () => new DisposableStack(), process: nowhere },
		tokens,
		log: silentLog,
		port: 0,
		server: { name: 'roundhouse', title: 'Roundhouse', version: '0.1.0' },
		settings: { ratePerMinute: 0, concurrentPerToken: 0 },
	})
	const { token } = await tokens.create({ name: 'bench', level: 'full' })
	return { url: endpoint.url, token }
}
