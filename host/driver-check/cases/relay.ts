import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Settings } from '@roundhouse/kit/manifest'
import type { Session } from '../../connections/session.ts'
import { addressesOf } from '../../network/address.ts'
import { DoesNotApply } from '../findings.ts'
import type { Lab } from '../lab.ts'
import { settingsAt } from './engine-address.ts'

/** What a relay does with the bytes of the engine. */
type Mode = 'pass' | 'hold' | 'cut'

/** Stands between the driver and its engine, counts their connections, and breaks them when a case requests it. */
export interface Relay extends AsyncDisposable {
	readonly settings: Settings
	/** A connection of the driver through the relay. */
	readonly session: Session
	readonly openSockets: number
	/**
	 * `hold`: answers do not arrive. `cut`: requests arrive, but the relay closes their connections instead of forwarding the answers.
	 */
	set(mode: Mode): void
	/** Closes all connections, as a restarting engine does. */
	cutAll(): void
}

/** Opens a relay and a connection through it. @throws DoesNotApply if the driver cannot connect by another address */
export async function openRelay(lab: Lab): Promise<Relay> {
	const { form } = lab.subject.manifest
	const [target] = addressesOf(form, lab.settings)
	if (!target) throw new DoesNotApply('The settings of the fixture name no address.')
	const pairs = new Map<Socket, Socket>()
	let mode: Mode = 'pass'
	const cut = (guest: Socket) => {
		pairs.get(guest)?.destroy()
		guest.destroy()
	}
	const server = createServer(guest => {
		const engine = connect(target.port, target.host)
		pairs.set(guest, engine)
		const end = () => {
			cut(guest)
			pairs.delete(guest)
		}
		guest.on('error', end).on('close', end)
		engine.on('error', end).on('close', () => {
			// An engine that closes after its answer would end the call that must stay unanswered.
			if (mode !== 'hold') end()
		})
		guest.on('data', bytes => void engine.write(bytes))
		engine.on('data', bytes => {
			if (mode === 'cut') return cut(guest)
			if (mode === 'pass') guest.write(bytes)
		})
	})
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
	const cutAll = () => {
		for (const guest of pairs.keys()) cut(guest)
	}
	const close = async () => {
		cutAll()
		await new Promise(resolve => server.close(resolve))
	}
	// A TCP server that listens has a port.
	const settings = settingsAt(form, lab.settings, (server.address() as AddressInfo).port)
	const session = await lab.open(settings).catch(() => undefined)
	if (!session) {
		await close()
		throw new DoesNotApply('The driver does not connect through a relay, for example because it checks a certificate.')
	}
	return {
		settings,
		session,
		get openSockets() {
			return pairs.size
		},
		set: wanted => {
			mode = wanted
		},
		cutAll,
		[Symbol.asyncDispose]: async () => {
			await session.close()
			await close()
		},
	}
}
