import { type Manifest, manifestSchema } from '@roundhouse/kit/manifest'

/** Required members of a manifest that no test checks. */
export const plainManifest = {
	description: 'A driver of the tests.',
	publisher: 'Tests',
	category: 'Test',
	icon: '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
	tableNoun: { one: 'Table', many: 'Tables' },
	engines: { roundhouse: '^0.1.0' },
	entry: 'driver.js',
	permissions: { network: 'none' },
	form: [],
} as const

/** Returns the manifest of a driver that is never packed. */
export function testManifest(id: string, members: Readonly<Record<string, unknown>> = {}): Manifest {
	return manifestSchema.parse({ ...plainManifest, id, displayName: id, ...members })
}
