import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Manifest } from '@roundhouse/kit/manifest'
import { silentLog } from '../../../base/log.ts'
import { rememberSecret } from '../../../base/redaction.ts'
import { openSupportDirectory } from '../../../base/support-directory.ts'
import { ActivityLog } from '../../../host/activity/activity-log.ts'
import { ConnectedClients } from '../../../host/activity/connected-clients.ts'
import { SavedConnections } from '../../../host/connections/saved-connections.ts'
import { Sessions } from '../../../host/connections/sessions.ts'
import { startMcpEndpoint, Tokens } from '../../../host/mcp/index.ts'
import { KeptChanges } from '../../../host/undo/kept-changes.ts'
import { SealedFiles } from '../../../host/undo/sealed-files.ts'
import { unattended } from '../../support/network-access.ts'
import { someTools } from './answers.ts'

const coreTools = 15
const savedConnections = 5

/**
 * The endpoint as it ships: authentication and all checks, the activity log, saved connections, a secret to redact. A
 * catalogue extends its list to 50 tools.
 */
export async function startBenchEndpoint(): Promise<{ url: string; token: string }> {
	const support = await openSupportDirectory(await mkdtemp(join(tmpdir(), 'roundhouse-bench-')))
	const nowhere = () => Promise.reject(new Error('The benchmark has no driver.'))
	const secrets = { description: 'none', get: nowhere, set: nowhere, delete: nowhere }
	const connections = await SavedConnections.open(support.file('connections.json'), secrets)
	const drivers = { installed: () => [], ensure: nowhere, process: nowhere, lease: () => nowhere, sample: nowhere }
	const sessions = new Sessions({ saved: connections, drivers, ...unattended(connections) })
	const tokens = await Tokens.open(support.file('tokens.json'))
	// The part of a manifest that the endpoint reads.
	const manifest = {
		id: 'bench',
		displayName: 'Bench',
		tableNoun: { one: 'Table', many: 'Tables' },
		console: { language: 'a statement' },
		form: [],
		tools: someTools(50 - coreTools),
		prompts: [],
		resources: [],
		resourceTemplates: [],
	} as unknown as Manifest
	for (let index = 1; index <= savedConnections; index++)
		await connections.add(
			{ name: `Connection ${index}`, driverId: manifest.id, settings: {}, isSample: true },
			manifest,
		)
	rememberSecret('a password of ordinary length')
	const files = new SealedFiles(support.file('replaced'), { secrets, now: Date.now })
	const endpoint = await startMcpEndpoint({
		support,
		keptChanges: new KeptChanges({ files, isOn: () => true }),
		connections,
		sessions,
		drivers: { installed: () => [manifest], onChange: () => new DisposableStack(), process: nowhere },
		tokens,
		activity: await ActivityLog.open(support),
		clients: new ConnectedClients(),
		log: silentLog,
		port: 0,
		server: { name: 'roundhouse', title: 'Roundhouse', version: '0.1.0' },
		settings: { ratePerMinute: 0, concurrentPerToken: 0 },
		// One token may keep half of the connections busy, and the benchmark has one token.
		limits: { connections: 256 },
	})
	const { token } = await tokens.create({ name: 'bench', level: 'full' })
	return { url: endpoint.url, token }
}
