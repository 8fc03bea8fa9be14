import { z } from 'zod'
import { connectionOf, type ForeignConnection } from './foreign-connection.ts'

/** `servers.json` of pgAdmin 4: https://www.pgadmin.org/docs/pgadmin4/latest/import_export_servers.html */

const text = z.string().optional()
const number = z.union([z.string(), z.number()]).optional()
const flag = z.union([z.boolean(), z.number()]).optional()
const serverSchema = z.object({
	Name: text,
	Group: text,
	Host: text,
	HostAddr: text,
	Port: number,
	MaintenanceDB: text,
	Username: text,
	SSLMode: text,
	SSLCert: text,
	SSLRootCert: text,
	PassFile: text,
	Passfile: text,
	Service: text,
	PasswordExecCommand: text,
	KerberosAuthentication: flag,
	UseSSHTunnel: flag,
	TunnelHost: text,
	TunnelPort: number,
	TunnelUsername: text,
	TunnelIdentityFile: text,
	ConnectionParameters: z.record(z.string(), z.unknown()).optional(),
})

export const pgAdminSchema = z.object({ Servers: z.record(z.string(), serverSchema) })

export function readPgAdmin({ Servers }: z.output<typeof pgAdminSchema>): readonly ForeignConnection[] {
	return Object.values(Servers).map(server => {
		const { sslmode, passfile, ...parameters } = server.ConnectionParameters ?? {}
		const certificates = Boolean(server.SSLCert || server.SSLRootCert || parameters.sslcert || parameters.sslrootcert)
		return connectionOf({
			name: server.Name,
			// The group that each installation has.
			group: server.Group === 'Servers' ? '' : server.Group,
			engines: [],
			passwordFile: 'pgpass',
			host: server.Host || server.HostAddr,
			port: server.Port,
			database: server.MaintenanceDB,
			user: server.Username,
			tls: server.SSLMode || (typeof sslmode === 'string' ? sslmode : undefined),
			ssh: server.UseSSHTunnel
				? { host: server.TunnelHost, port: server.TunnelPort, user: server.TunnelUsername }
				: undefined,
			left: [
				Boolean(server.PasswordExecCommand) && 'the command that gives the password',
				Boolean(server.PassFile || server.Passfile || passfile) && 'the password file',
				certificates && 'certificates',
				Boolean(server.Service) && 'the service',
				Boolean(server.KerberosAuthentication) && 'the sign-in with Kerberos',
				Boolean(server.TunnelIdentityFile) && 'the key file of SSH',
			],
		})
	})
}
