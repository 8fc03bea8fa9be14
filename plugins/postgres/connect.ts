import { type Call, type DriverContext, isTimeZone, type ServerInfo, type Settings } from '@roundhouse/kit'
import { isLocalAddress } from '@roundhouse/sql'
import { Databases } from './catalog/databases.ts'
import { shapesOf } from './catalog/shapes.ts'
import { PostgresConnection } from './connection.ts'
import { SqlConsole } from './console/sql-console.ts'
import { postgresEngine } from './engine.ts'
import { type Login, readSettings } from './settings.ts'
import type { Session } from './wire/session.ts'

/** Oldest version that is tested. */
const oldest = 13

/** Opens a connection. @throws DriverError `not_connected` or `denied`, with the remedy */
export async function connect(settings: Settings, context: DriverContext, call: Call): Promise<PostgresConnection> {
	const login = readSettings(settings)
	const databases = new Databases(login, context)
	try {
		const { info, timeZone } = await databases.using(call, (session, signal) => readInfo(session, login, signal))
		databases.keepTimeZone(timeZone)
		const shapes = shapesOf(databases)
		const console = new SqlConsole(databases, context)
		const limitRows = context.costLimitRows
		const engine = postgresEngine({ databases, shapes, info, timeZone, console, limitRows })
		return new PostgresConnection({ databases, login, shapes, console, engine })
	} catch (error) {
		await databases.close()
		throw error
	}
}

/** Only the sample is built for WebAssembly. @param build what `version()` returns */
const isWebAssembly = (build: string) => / compiled by emcc /.test(build)

/** What the connection reached, and the zone of its sessions as the server names it. */
interface Reached {
	readonly info: ServerInfo
	readonly timeZone: string
}

async function readInfo(session: Session, login: Login, signal: AbortSignal): Promise<Reached> {
	const sql = "select current_setting('server_version'), version(), current_setting('TimeZone')"
	const { rows } = await session.read({ sql }, signal)
	const [number, build, zone] = rows[0] ?? []
	const version = (number ?? '').replace(/ .*$/, '')
	const isOld = Number.parseInt(version, 10) < oldest
	const timeZone = zone ?? 'UTC'
	const info = {
		product: 'PostgreSQL',
		version,
		notices: [
			...(isWebAssembly(build ?? '')
				? ['The sample has one session: no statement can be cancelled, and an open transaction makes all others wait.']
				: []),
			...(isOld
				? [`PostgreSQL ${version} is older than ${oldest}, the oldest version that this driver is tested with.`]
				: []),
			...(!session.isEncrypted && login.tls.mode !== 'disable' && !isLocalAddress(login.address)
				? ['The server has no TLS, so the connection is not encrypted.']
				: []),
		],
		// The server knows more zones than other programs, for example `<+02>-02`.
		...(isTimeZone(timeZone) && { timeZone }),
	}
	return { info, timeZone }
}
