import type { Call, DriverContext, ServerInfo, Settings } from '@roundhouse/kit'
import { isLocalAddress } from '@roundhouse/sql'
import { Sessions } from './catalog/sessions.ts'
import { shapesOf } from './catalog/shapes.ts'
import { MariadbConnection } from './connection.ts'
import { mariadbEngine } from './engine.ts'
import { type Login, readSettings } from './settings.ts'
import type { Session } from './wire/session.ts'

/** Opens a connection. @throws DriverError `not_connected` or `denied`, with the remedy */
export async function connect(settings: Settings, context: DriverContext, call: Call): Promise<MariadbConnection> {
	const login = readSettings(settings)
	const sessions = new Sessions(login, context)
	try {
		const info = await sessions.using(call, async session => infoOf(session, login))
		const shapes = shapesOf(sessions)
		const engine = mariadbEngine({ sessions, shapes, info, context })
		return new MariadbConnection({ sessions, shapes, engine, isForClient: () => context.costLimitRows() !== undefined })
	} catch (error) {
		await sessions.close()
		throw error
	}
}

function infoOf({ server: { product, version }, isEncrypted }: Session, login: Login): ServerInfo {
	const isPlain = !isEncrypted && login.tls.mode !== 'DISABLED' && !isLocalAddress(login.address)
	const notices = isPlain ? ['The server has no TLS, so the connection is not encrypted.'] : []
	return { product, version, notices: product === 'MySQL' ? [...notices, untried] : notices }
}

const untried = 'This driver is tested with MariaDB. It was not proved with MySQL.'
