import { once } from 'node:events'
import { createServer } from 'node:net'
import { manifestSchema } from '@roundhouse/kit/manifest'
import { expect, test } from 'vitest'
import { plainManifest } from '../../tests/support/manifest.ts'
import { firstSteps } from './first-steps.ts'

/** A driver that suggests a server at a port. */
function offerOf(port: number, address: string) {
	const form = [{ key: 'host', label: 'Host', type: 'text', default: address, addresses: { defaultPort: port } }]
	const manifest = manifestSchema.parse({ ...plainManifest, id: 'tiny', displayName: 'Tiny', hasSample: true, form })
	return { manifest, source: { registry: 'r', publisher: 'p' }, state: 'installed' } as const
}

const stepsFor = (...offers: readonly ReturnType<typeof offerOf>[]) =>
	firstSteps({ browse: async () => ({ offers, notices: [] }) })

test('a server at the usual port of an engine is offered beside its sample, while it listens', async () => {
	const server = createServer()
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const address = server.address()
	const port = typeof address === 'object' && address ? address.port : 0
	const offer = offerOf(port, `localhost:${port}`)
	expect(await stepsFor(offer)).toMatchObject([
		{ driver: 'tiny', engine: 'Tiny', server: `localhost:${port}` },
		{ driver: 'tiny', isSample: true },
	])
	// A form that suggests a server elsewhere says nothing about this machine.
	expect(await stepsFor(offerOf(port, 'db.example.test'))).toMatchObject([{ isSample: true }])
	server.close()
	await once(server, 'close')
	expect((await stepsFor(offer)).map(({ server }) => server)).toEqual([undefined])
})
