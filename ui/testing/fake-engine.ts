import { type Manifest, manifestSchema } from '@roundhouse/kit/manifest'
import type { ConnectionView, DriverOffer } from '../../host/api/api.ts'

/** An engine and a connection to it, as a fake host reports them. */

const icon = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="8"/></svg>'

/** Returns the manifest of a relational engine. A test overrides what it is about. */
export function fakeManifest(changes: Partial<Manifest> = {}): Manifest {
	const manifest = manifestSchema.parse({
		id: 'shop',
		displayName: 'Shop',
		description: 'Tables in memory.',
		publisher: 'Tests',
		category: 'Relational',
		icon,
		tableNoun: { one: 'Table', many: 'Tables' },
		rawQuery: { placeholder: 'A text that a cell contains', language: 'a text' },
		console: { language: 'SQL', placeholder: 'select 1', terminator: ';', lineComments: ['--'], keywords: ['SELECT'] },
		engines: { roundhouse: '^0.1.0' },
		entry: 'driver.js',
		permissions: { network: 'connections' },
		form: [
			{ key: 'host', label: 'Host', type: 'text', required: true, addresses: { defaultPort: 4_000 } },
			{ key: 'password', label: 'Password', type: 'secret' },
		],
	})
	return { ...manifest, ...changes }
}

/** Returns the console's part of a manifest. */
export function fakeLanguage(changes: Partial<Manifest['console']>): Manifest['console'] {
	return { ...fakeManifest().console, ...changes }
}

/** Returns the offer of an installed driver. */
export function fakeOffer(manifest: Manifest): DriverOffer {
	return {
		manifest,
		source: { registry: 'a'.repeat(64), publisher: 'tests' },
		registryName: 'Tests',
		state: 'installed',
		installedVersion: '1.0.0',
	}
}

/** Returns a saved connection without secrets. */
export function fakeConnection(changes: Partial<ConnectionView> = {}): ConnectionView {
	return {
		id: 'c1',
		name: 'Sample',
		driverId: 'shop',
		settings: { host: 'localhost' },
		secretKeys: [],
		secretSources: {},
		isSample: false,
		externalAccess: 'read-only',
		aiPolicy: 'ask',
		hiddenToolGroups: [],
		triesWrites: true,
		mostChangedRows: 100,
		hiddenColumns: [],
		safeMode: 'free',
		isProduction: false,
		group: '',
		reach: [],
		createdAt: '2026-01-01T00:00:00.000Z',
		state: { status: 'closed' },
		...changes,
	}
}
