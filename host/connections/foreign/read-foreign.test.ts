import { describe, expect, test } from 'vitest'
import { longestFile, mostConnections } from './foreign-connection.ts'
import { readForeign } from './read-foreign.ts'

/** Each text has the form that its program writes; the source is named above it. Names and passwords are made up. */

const read = (text: string, fileName = 'file') => readForeign({ text, fileName })
/** What a format found, without what is the same for all. */
const found = (text: string, fileName?: string) =>
	read(text, fileName).connections.map(
		({ group, isGuess, fitsByPort, isReadOnly, isProduction, left, secrets, ...rest }) => ({
			...rest,
			...(group !== '' && { group }),
			...(isReadOnly && { isReadOnly }),
			...(isProduction && { isProduction }),
			...(left.length > 0 && { left }),
			...(Object.keys(secrets).length > 0 && { secrets }),
		}),
	)
const reasonOf = (text: string, fileName?: string) => {
	try {
		read(text, fileName)
	} catch (error) {
		return error instanceof Error ? error.message.replace(/^.*cannot be used: /, '') : error
	}
	return undefined
}

/** As DBeaver 24 and 25 write `.dbeaver/data-sources.json`; handlers as in its wiki, "Configuration files". */
const dbeaver = JSON.stringify({
	folders: { Shop: {} },
	connections: {
		'postgres-jdbc-193dc39a319-4a86eb569276e182': {
			provider: 'postgresql',
			driver: 'postgres-jdbc',
			name: 'projects',
			'save-password': true,
			folder: 'Shop',
			'read-only': true,
			configuration: {
				host: 'db.example.com',
				port: '5401',
				database: 'shop',
				url: 'jdbc:postgresql://db.example.com:5401/shop',
				configurationType: 'MANUAL',
				type: 'prod',
				closeIdleConnection: true,
				'provider-properties': { '@dbeaver-show-non-default-db@': 'true' },
				'auth-model': 'native',
				handlers: {
					ssh_tunnel: {
						type: 'TUNNEL',
						enabled: true,
						'save-password': true,
						user: 'ann',
						properties: { host: 'bastion.example.com', port: 2222, authType: 'PUBLIC_KEY', keyPath: '/home/ann/key' },
					},
					postgre_ssl: {
						type: 'CONFIG',
						enabled: true,
						properties: { sslMode: 'verify-full', 'ssl.ca.cert': '/ca.pem' },
					},
					socks_proxy: { type: 'PROXY', enabled: false, properties: {} },
				},
			},
		},
		'mariaDB-17a': {
			provider: 'mysql',
			driver: 'mariaDB',
			name: 'old',
			configuration: {
				host: '',
				url: 'jdbc:mariadb://[::1]:3307/books?useSSL=false',
				user: 'root',
				password: 's3cret',
			},
		},
		'es-1': {
			provider: 'elasticsearch',
			driver: 'elastic',
			name: 'Logs',
			configuration: { host: 'logs', port: 9200, url: 'jdbc:es://http://logs:9200/', 'auth-model': 'iam' },
		},
	},
	'connection-types': { dev: { name: 'Development', 'auto-commit': true } },
})

/** https://www.pgadmin.org/docs/pgadmin4/latest/import_export_servers.html, "JSON format", and pgAdmin 8's export. */
const pgAdmin = JSON.stringify({
	Servers: {
		1: {
			Name: 'Minimally Defined Server',
			Group: 'Servers',
			Port: 5432,
			Username: 'postgres',
			Host: 'localhost',
			SSLMode: 'prefer',
			MaintenanceDB: 'postgres',
		},
		2: {
			Name: 'Fully Defined Server',
			Group: 'Reports',
			Host: 'host.domain.com',
			Port: 5433,
			MaintenanceDB: 'reports',
			Username: 'ann',
			Role: 'my_role_name',
			PasswordExecCommand: 'rm -rf ~',
			UseSSHTunnel: 1,
			TunnelHost: 'tunnel.domain.com',
			TunnelPort: '22',
			TunnelUsername: 'tunnel',
			TunnelAuthentication: 0,
			KerberosAuthentication: false,
			ConnectionParameters: { sslmode: 'verify-ca', connect_timeout: 10, passfile: '/x/pgpass', sslrootcert: '/x/ca' },
		},
		3: { Name: 'By service', Group: 'Servers', Service: 'shop', Port: 5432, Username: 'ann' },
	},
})

/** As IntelliJ IDEA 2024.1 writes `.idea/dataSources.xml`. */
const dataGrip = `<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="DataSourceManagerImpl" format="xml" multifile-model="true">
    <data-source source="LOCAL" name="books &amp; more" uuid="018fd6fe-cad4-4f96-b6db-f11667b34bb0">
      <driver-ref>mysql.8</driver-ref>
      <synchronize>true</synchronize>
      <jdbc-driver>com.mysql.cj.jdbc.Driver</jdbc-driver>
      <jdbc-url>jdbc:mysql://localhost:3306/books</jdbc-url>
      <jdbc-additional-properties>
        <property name="com.intellij.clouds.kubernetes.db.enabled" value="false" />
      </jdbc-additional-properties>
      <working-dir>$ProjectFileDir$</working-dir>
    </data-source>
    <data-source source="LOCAL" name="shop" group="Shop" read-only="true" uuid="2">
      <driver-ref>postgresql</driver-ref>
      <jdbc-url>jdbc:postgresql://db:5432/shop?sslmode=require&amp;user=ann&amp;password=s3cret</jdbc-url>
      <ssh-properties><enabled>true</enabled><ssh-config-id>8f</ssh-config-id></ssh-properties>
    </data-source>
  </component>
</project>`

/** `.idea/dataSources.local.xml`, and `options/sshConfigs.xml` of the program. */
const dataGripLocal = `<?xml version="1.0" encoding="UTF-8"?>
<project version="4">
  <component name="dataSourceStorageLocal" created-in="DB-241.14494.240">
    <data-source name="books &amp; more" uuid="018fd6fe-cad4-4f96-b6db-f11667b34bb0">
      <secret-storage>master_key</secret-storage>
      <user-name>root</user-name>
      <ssh-properties><enabled>true</enabled><ssh-config-id>hop-id</ssh-config-id></ssh-properties>
    </data-source>
  </component>
</project>`
const dataGripServers = `<?xml version="1.0" encoding="UTF-8"?>
<application>
  <component name="SshConfigs">
    <configs>
      <sshConfig host="bastion.example.com" id="8f" keyPath="$USER_HOME$/.ssh/id_ed25519" port="2222" username="deploy" useOpenSSHConfig="true" />
      <sshConfig authType="OPEN_SSH" host="hop" id="hop-id" port="22" nameFormat="DESCRIPTIVE" />
    </configs>
  </component>
</application>`

/** Jump hosts and profiles, whose users of SSH are in `credentials-config.json`. */
const dbeaverWays = JSON.stringify({
	connections: {
		a: {
			provider: 'postgresql',
			driver: 'postgres-jdbc',
			name: 'jumping',
			configuration: {
				host: 'db',
				handlers: {
					ssh_tunnel: {
						type: 'TUNNEL',
						enabled: true,
						properties: {
							host: 'bastion.example.com',
							port: '22',
							authType: 'PASSWORD',
							'jumpServer.count': '3',
							'jumpServer1.enabled': 'true',
							'jumpServer1.host': 'second',
							'jumpServer0.enabled': 'true',
							'jumpServer0.host': 'jump.example.com',
							'jumpServer0.port': '2200',
							'jumpServer0.name': 'jumper',
							'jumpServer0.keyPath': '/home/me/.ssh/jump_key',
							'jumpServer2.enabled': 'false',
							'jumpServer2.host': 'unused',
						},
					},
				},
			},
		},
		b: { provider: 'postgresql', name: 'profiled', configuration: { host: 'db', 'config-profile': 'corp-bastion' } },
		c: { provider: 'postgresql', name: 'unknown', configuration: { host: 'db', 'config-profile': 'toString' } },
	},
	'network-profiles': {
		'corp-bastion': {
			name: 'corp-bastion',
			handlers: {
				ssh_tunnel: { type: 'TUNNEL', enabled: true, properties: { host: 'corp-bastion.example.com', port: '22' } },
			},
		},
	},
})

/** "Copy as URL" of TablePlus. */
const tablePlus = [
	'mysql+ssh://forge:pass@203.0.113.7/forge@127.0.0.1/forge?name=Forge&usePrivateKey=true&env=production',
	'postgresql+ssh://ssh-user@ssh-host:1234/ann:s3cret@db-host:5433/shop?statusColor=686B6F',
	'postgresql://ann@db:5432/shop',
].join('\n')

/** As DbGate 5 and 6 write `~/.dbgate/connections.jsonl`. */
const dbGate = [
	'{"server":"localhost","engine":"mysql@dbgate-plugin-mysql","sshMode":"userPassword","sshPort":"22","user":"root","password":"crypt:6f4a500c","port":"5001","_id":"1"}',
	'{"_id":"2","engine":"postgres@dbgate-plugin-postgres","displayName":"Raw","server":"h","port":5432,"user":"u","password":"s3cret","passwordMode":"saveRaw","useSsl":true,"isReadOnly":true}',
	'{"_id":"3","engine":"postgres@dbgate-plugin-postgres","useDatabaseUrl":"1","databaseUrl":"postgresql://ann:p%40ss@far:6432/shop?sslmode=require"}',
	'{"_id":"4","engine":"mariadb@dbgate-plugin-mysql","server":"m","useSshTunnel":true,"sshHost":"bastion","sshPort":"2222","sshLogin":"ec2-user","sshMode":"keyFile","sshKeyfile":"/k","defaultDatabase":"books"}',
	'{"_id":"5","folder":"Group A"}',
].join('\n')

/** `src/composables/ImportExport.ts` and `src/store/connection.ts` of Elasticvue 1.0: "elasticvue_VERSION_backup.json". */
const elasticvue = JSON.stringify({
	version: '1.0.4',
	store: {
		connection: {
			activeClusterIndex: 0,
			clusters: [
				{
					name: 'local',
					clusterName: 'docker',
					version: '8.14.0',
					uuid: 'a',
					status: 'green',
					uri: 'http://localhost:9200',
					username: '',
					password: '',
				},
				{
					name: 'cloud',
					clusterName: 'c',
					uri: 'https://es.example.com/path/',
					username: 'elastic',
					password: 's3cret',
				},
			],
		},
		theme: {},
	},
	idb: {},
})

/** `src/store/connection.ts` of Elasticvue since it has kinds of sign-in. */
const elasticvueSignIns = JSON.stringify({
	store: {
		connection: {
			clusters: [
				{ name: 'none', uri: 'http://localhost:9200', auth: { authType: 'none' } },
				{
					name: 'basic',
					uri: 'https://es.example.com',
					auth: { authType: 'basicAuth', authData: { username: 'elastic', password: 's3cret' } },
				},
				{ name: 'key', uri: 'https://es.example.com', auth: { authType: 'apiKey', authData: { apiKey: 'a2V5' } } },
				{
					name: 'aws',
					uri: 'https://es.example.com',
					auth: { authType: 'awsIAM', authData: { accessKeyId: 'a', secretAccessKey: 's3cret', region: 'x' } },
				},
				// Before, a password without a user was an API key.
				{ name: 'old key', uri: 'https://es.example.com', username: '', password: 'a2V5' },
				{ name: 'odd', uri: 'https://es.example.com', auth: 'basicAuth', username: 7 },
			],
		},
	},
})

/** https://www.postgresql.org/docs/current/libpq-pgservice.html */
const services = `# comment
[mydb]
host=somehost
port=5433
user=admin
password=s3cret
sslmode=require
sslcert=/x/cert

[local]
host=/run/postgresql
dbname=shop
`

/** https://mariadb.com/kb/en/configuring-mariadb-with-option-files/ and https://dev.mysql.com/doc/refman/8.4/en/option-files.html */
const options = `!includedir /etc/my.cnf.d
[mysqld]
skip-name-resolve
[client]
user=ann
password="s3 # cret" # of the test
ssl-mode=VERIFY_IDENTITY
ssl_ca=/x/ca.pem
[client_shop]
host=shop.example.com
port=3307
[mysql]
no-auto-rehash
`

/** https://docs.docker.com/reference/compose-file/services/ with images as Docker Hub documents their variables. */
const compose = `name: shop
x-env: &env
  TZ: UTC
services:
  web:
    image: nginx:1.27
    ports: ["8080:80"]
  db:
    image: postgres:17-alpine
    environment:
      <<: *env
      POSTGRES_USER: ann
      POSTGRES_PASSWORD: s3$$cret
      POSTGRES_DB: shop
    ports:
      - "127.0.0.1:5433:5432"
  books:
    image: docker.io/library/mariadb:11@sha256:00
    environment:
      - MARIADB_ROOT_PASSWORD=\${ROOT_PASSWORD}
      - MARIADB_USER=\${DB_USER:?DB_USER is not set}
      - MARIADB_DATABASE=\${BOOKS:-books}
    ports:
      - target: 3306
        published: "3307"
  hidden:
    image: mysql:8
    environment: { MYSQL_ROOT_PASSWORD: s3cret }
`

/** Variables as the guides of Prisma, Laravel, Django and the images of Docker Hub name them. */
const variables = `# .env
APP_URL=http://localhost:3000
export DATABASE_URL="postgresql://ann:\${PGPW}@db:5432/shop?schema=public"
DB_CONNECTION=mysql
DB_HOST=127.0.0.1
DB_PORT=3306
DB_DATABASE='laravel'
DB_USERNAME=root
DB_PASSWORD= s3cret # of the test
POSTGRES_USER=ann
POSTGRES_PASSWORD=s3cret
SEARCH_URL=https://es.example.com:9243
MAIL_HOST=smtp
`

describe('each format', () => {
	test('DBeaver', () => {
		expect(read(dbeaver).source).toBe('DBeaver')
		expect(found(dbeaver)).toEqual([
			{
				name: 'projects',
				group: 'Shop',
				engines: ['postgresql', 'postgres-jdbc', 'postgresql'],
				host: 'db.example.com',
				port: 5401,
				database: 'shop',
				tls: 'verify-full',
				ssh: { destination: 'ann@bastion.example.com:2222' },
				isReadOnly: true,
				isProduction: true,
				left: ['the key file of SSH', 'certificates'],
			},
			{
				name: 'old',
				engines: ['mysql', 'mariadb', 'mariadb'],
				host: '[::1]',
				port: 3307,
				database: 'books',
				user: 'root',
				tls: 'disable',
				secrets: { password: 's3cret' },
			},
			{
				name: 'Logs',
				engines: ['elasticsearch', 'elastic', 'es'],
				host: 'logs',
				port: 9200,
				url: 'http://logs:9200',
				left: ['the sign-in “iam”'],
			},
		])
	})

	test('pgAdmin', () => {
		expect(read(pgAdmin).source).toBe('pgAdmin')
		const family = { engines: [], passwordFile: 'pgpass' }
		expect(found(pgAdmin)).toEqual([
			{
				...family,
				name: 'Minimally Defined Server',
				host: 'localhost',
				port: 5432,
				database: 'postgres',
				user: 'postgres',
				tls: 'prefer',
			},
			{
				...family,
				name: 'Fully Defined Server',
				group: 'Reports',
				host: 'host.domain.com',
				port: 5433,
				database: 'reports',
				user: 'ann',
				tls: 'verify-ca',
				ssh: { destination: 'tunnel@tunnel.domain.com' },
				left: ['the command that gives the password', 'the password file', 'certificates'],
			},
			{ ...family, name: 'By service', port: 5432, user: 'ann', left: ['the service'], fault: 'it names no host' },
		])
	})

	test('DataGrip', () => {
		expect(read(dataGrip).source).toBe('DataGrip')
		expect(found(dataGrip)).toEqual([
			{
				name: 'books & more',
				engines: ['mysql', 'mysql'],
				host: 'localhost',
				port: 3306,
				database: 'books',
				left: ['the user and a way through SSH, if dataSources.local.xml has it'],
			},
			{
				name: 'shop',
				group: 'Shop',
				engines: ['postgresql', 'postgresql'],
				host: 'db',
				port: 5432,
				database: 'shop',
				user: 'ann',
				tls: 'require',
				isReadOnly: true,
				secrets: { password: 's3cret' },
				fault: 'its SSH server is in sshConfigs.xml. Put the text of that file behind this one',
			},
		])
	})

	test('DataGrip: a way through SSH is in two more files, whose text may stand behind the first', () => {
		const [, second] = found(`${dataGrip}\n${dataGripServers}`)
		expect(second).toMatchObject({
			ssh: { destination: 'deploy@bastion.example.com:2222' },
			left: ['the key file of SSH'],
		})
		expect(second).not.toHaveProperty('fault')
		const [first] = found(`${dataGrip}\n${dataGripLocal}\n${dataGripServers}`)
		expect(first).toMatchObject({ user: 'root', ssh: { destination: 'hop' } })
		const [unknown] = found(`${dataGrip}\n${dataGripLocal}`)
		expect(unknown?.fault).toMatch(/sshConfigs\.xml/)
	})

	test('DBeaver: jump hosts and network profiles are ways through SSH', () => {
		const [jumping, profiled, unknown] = found(dbeaverWays)
		expect(jumping).toMatchObject({
			ssh: { destination: 'bastion.example.com', jump: 'jumper@jump.example.com:2200,second' },
			left: ['the user of SSH, who is in an encrypted file', 'the key file of SSH'],
		})
		expect(profiled).toMatchObject({ ssh: { destination: 'corp-bastion.example.com' } })
		expect(unknown?.fault).toBe('its network profile is not in the file')
	})

	test('addresses that TablePlus copies', () => {
		expect(read(tablePlus).source).toBe('addresses')
		expect(found(tablePlus)).toEqual([
			{
				name: 'Forge',
				engines: ['mysql'],
				host: '127.0.0.1',
				database: 'forge',
				user: 'forge',
				ssh: { destination: 'forge@203.0.113.7' },
				isProduction: true,
				left: ['the key file of SSH'],
			},
			{
				name: 'db-host',
				engines: ['postgresql'],
				host: 'db-host',
				port: 5433,
				database: 'shop',
				user: 'ann',
				ssh: { destination: 'ssh-user@ssh-host:1234' },
				secrets: { password: 's3cret' },
			},
			{ name: 'db', engines: ['postgresql'], host: 'db', port: 5432, database: 'shop', user: 'ann' },
		])
	})

	test('DataGrip: the file of users alone has no addresses', () => {
		const local = dataGrip.replaceAll(/<jdbc-url>.*<\/jdbc-url>/g, '<user-name>root</user-name>')
		expect(reasonOf(local)).toBe('It names no addresses. Those of DataGrip are in dataSources.xml.')
	})

	test('DbGate', () => {
		expect(read(dbGate).source).toBe('DbGate')
		expect(found(dbGate)).toEqual([
			{
				name: 'localhost',
				engines: ['mysql'],
				host: 'localhost',
				port: 5001,
				user: 'root',
				left: ['the password, which is encrypted'],
			},
			{
				name: 'Raw',
				engines: ['postgres'],
				host: 'h',
				port: 5432,
				user: 'u',
				tls: 'require',
				isReadOnly: true,
				secrets: { password: 's3cret' },
			},
			{
				name: 'far',
				engines: ['postgres', 'postgresql'],
				host: 'far',
				port: 6432,
				database: 'shop',
				user: 'ann',
				tls: 'require',
				secrets: { password: 'p@ss' },
			},
			{
				name: 'm',
				engines: ['mariadb'],
				host: 'm',
				database: 'books',
				ssh: { destination: 'ec2-user@bastion:2222' },
				left: ['the key file of SSH'],
			},
		])
		// One line, and a list.
		expect(found(dbGate.split('\n')[1] ?? '')).toHaveLength(1)
		expect(found(`[${dbGate.split('\n').join(',')}]`)).toHaveLength(4)
	})

	test('Elasticvue', () => {
		expect(read(elasticvue).source).toBe('Elasticvue')
		expect(found(elasticvue)).toEqual([
			{ name: 'local', engines: ['http'], url: 'http://localhost:9200' },
			{
				name: 'cloud',
				engines: ['https'],
				url: 'https://es.example.com/path',
				user: 'elastic',
				secrets: { password: 's3cret' },
			},
		])
	})

	test('Elasticvue: user and password, or an API key, as it stores them today', () => {
		const at = { engines: ['https'], url: 'https://es.example.com' }
		expect(found(elasticvueSignIns)).toEqual([
			{ name: 'none', engines: ['http'], url: 'http://localhost:9200' },
			{ ...at, name: 'basic', user: 'elastic', secrets: { password: 's3cret' } },
			{ ...at, name: 'key', secrets: { apiKey: 'a2V5' } },
			{ ...at, name: 'aws', left: ['the sign-in'] },
			{ ...at, name: 'old key', secrets: { apiKey: 'a2V5' } },
			{ ...at, name: 'odd' },
		])
	})

	test('pg_service.conf', () => {
		expect(read(services).source).toBe('service file')
		expect(found(services)).toEqual([
			{
				name: 'mydb',
				engines: [],
				passwordFile: 'pgpass',
				host: 'somehost',
				port: 5433,
				user: 'admin',
				tls: 'require',
				secrets: { password: 's3cret' },
				left: ['certificates'],
			},
			{ name: 'local', engines: [], passwordFile: 'pgpass', host: '/run/postgresql', database: 'shop' },
		])
	})

	test('~/.my.cnf', () => {
		expect(read(options).source).toBe('option file')
		const all = {
			engines: [],
			passwordFile: 'my.cnf',
			user: 'ann',
			tls: 'VERIFY_IDENTITY',
			secrets: { password: 's3 # cret' },
			left: ['certificates'],
		}
		expect(found(options)).toEqual([
			{ ...all, name: 'client', host: 'localhost' },
			{ ...all, name: 'shop', host: 'shop.example.com', port: 3307 },
		])
	})

	test('compose.yaml', () => {
		expect(read(compose).source).toBe('Compose')
		expect(found(compose).filter(({ name }) => name !== 'web')).toEqual([
			{
				name: 'db',
				group: 'shop',
				engines: ['postgres'],
				host: 'localhost',
				port: 5433,
				database: 'shop',
				user: 'ann',
				secrets: { password: 's3$cret' },
			},
			{ name: 'books', group: 'shop', engines: ['mariadb'], host: 'localhost', port: 3307, database: 'books' },
			{
				name: 'hidden',
				group: 'shop',
				engines: ['mysql'],
				host: 'localhost',
				secrets: { password: 's3cret' },
				fault: 'it publishes no port that the file names',
			},
		])
	})

	test('.env', () => {
		expect(read(variables).source).toBe('variables')
		expect(found(variables)).toEqual([
			{ name: 'APP_URL', engines: ['app', 'url'], url: 'http://localhost:3000' },
			{
				name: 'DATABASE_URL',
				engines: ['postgresql'],
				host: 'db',
				port: 5432,
				database: 'shop',
				user: 'ann',
				left: ['the password, which is a variable'],
			},
			{ name: 'SEARCH_URL', engines: ['search', 'url'], url: 'https://es.example.com:9243' },
			{
				name: 'DB',
				engines: ['mysql', 'db'],
				host: '127.0.0.1',
				port: 3306,
				database: 'laravel',
				user: 'root',
				secrets: { password: 's3cret' },
			},
			{ name: 'POSTGRES', engines: ['postgres'], host: 'localhost', user: 'ann', secrets: { password: 's3cret' } },
			{ name: 'MAIL', engines: ['mail'], host: 'smtp' },
		])
	})

	test('.env: a value of the same file is filled in', () => {
		expect(found(`PW=s3cret\nDATABASE_URL=mysql://root:\${PW}@\${H:-db}/books`)).toMatchObject([
			{ host: 'db', database: 'books', secrets: { password: 's3cret' } },
		])
	})
})

describe('a file that cannot be used says where, quotes no value, and gives nothing', () => {
	test.each([
		['broken JSON', '{"Servers": {\n"1": {"Name": "s3cret" "Host": 1}}}', 'Line 2 is not valid JSON.'],
		['a member of another type', '{"Servers":{"7":{"Name":"x","Port":{"a":"s3cret"}}}}', /^Servers\.7\.Port: /],
		['a member that is missing', '{"connections":{"a":{"configuration":{}}}}', /^connections\.a\.provider: /],
		['broken XML', '<project>\n<data-source name="s3cret>\n</project>', /^Line \d+ is not valid XML\.$/],
		['broken YAML', 'services:\n  db:\n   - "s3cret\n  x', /^Line \d+ is not valid YAML\.$/],
		['a line without an option', '[mydb]\nhost=a\ns3cret', 'Line 3 has no option.'],
		['JSON of another program', '{"a": 1}', 'No program that is known writes such a file.'],
		['text', 's3cret', 'No program that is known writes such a file.'],
		['nothing', '', 'No program that is known writes such a file.'],
	])('%s', (_, text, reason) => {
		const said = reasonOf(text)
		expect(said).toEqual(typeof reason === 'string' ? reason : expect.stringMatching(reason))
		expect(said).not.toContain('s3cret')
	})

	test('an export of TablePlus is encrypted', () => {
		expect(reasonOf('\u0003\u0001xyz', 'mine.tableplusconnection')).toMatch(/^TablePlus encrypts its exports\./)
	})
})

describe('a hostile file', () => {
	const server = (members: object) => JSON.stringify({ Servers: { 1: { Name: 'n', Host: 'h', Port: 1, ...members } } })

	test('with too many connections, or too long, is refused', () => {
		const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [index, { Name: 'n', Host: 'h' }]))
		expect(reasonOf(JSON.stringify({ Servers: many }))).toBe(
			`It has 10000 connections. At most ${mostConnections} are imported at once.`,
		)
		expect(reasonOf('['.repeat(longestFile + 1))).toBe(`It is longer than ${longestFile} characters.`)
	})

	test.each([
		['JSON', `${'['.repeat(1_000_000)}`],
		['XML', `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`],
		['YAML', `services:\n  a: ${'['.repeat(20_000)}`],
	])('nested deep is refused: %s', (_, text) => {
		expect(reasonOf(text)).toEqual(expect.any(String))
	})

	test('nested deep below what is read makes no connection', () => {
		const [one] = found(`${'{"Servers":'.repeat(100_000)}{}${'}'.repeat(100_000)}`)
		expect(one?.fault).toBe('it names no host')
	})

	test('with aliases of aliases is refused', () => {
		const levels = Array.from(
			{ length: 12 },
			(_, level) => `l${level + 1}: &l${level + 1} [${`*l${level},`.repeat(9)}]`,
		)
		const bomb = ['l0: &l0 [lol]', ...levels, 'services:', '  db: {image: postgres, ports: *l12}'].join('\n')
		expect(reasonOf(bomb)).toBe('Its YAML is nested too deep, or has too many aliases.')
	})

	test('with entities is refused, and reads no other file', () => {
		const with_ = (dtd: string) =>
			`<?xml version="1.0"?><!DOCTYPE project [${dtd}]><project><data-source name="&x;"><jdbc-url>jdbc:a://b/c</jdbc-url></data-source></project>`
		expect(reasonOf(with_('<!ENTITY x SYSTEM "file:///etc/passwd">'))).toMatch(/not valid XML/)
		expect(reasonOf(with_('<!ENTITY y "aaaa"><!ENTITY x "&y;&y;&y;">'))).toMatch(/not valid XML/)
	})

	test('cannot change how lists show its names', () => {
		const [one] = found(server({ Name: 'pro\u202Eddd\n\u0007\u200B', Group: 'a\u0000b' }))
		expect(one).toMatchObject({ name: 'pro ddd', group: 'a b' })
		expect(found(server({ Name: 'x'.repeat(10_000) }))[0]?.name).toHaveLength(200)
	})

	test.each([
		{ Host: 'db.example.com@evil.example' },
		{ Host: 'a,evil.example' },
		{ Host: 'a\nb' },
		{ Host: 'db\u202Ecom' },
		{ Port: 0 },
		{ Port: 99_999 },
		{ Port: 'x' },
		{ Username: 'a\u202Eb' },
		{ UseSSHTunnel: 1, TunnelHost: `-oProxyCommand=touch\${IFS}x` },
		{ UseSSHTunnel: 1, TunnelHost: 'a b' },
		{ UseSSHTunnel: 1 },
	])('with an address that is none makes no connection: %j', members => {
		expect(found(server(members))[0]?.fault).toEqual(expect.any(String))
	})

	test('changes no prototype', () => {
		found('{"Servers":{"__proto__":{"Name":"a","Host":"h"},"1":{"Name":"b","Host":"h","__proto__":{"Port":1}}}}')
		found('services:\n  __proto__: {image: postgres, ports: ["1:2"]}\n')
		found('[__proto__]\nhost=a\n')
		expect(Object.keys(Object.prototype)).toEqual([])
		expect(({} as Record<string, unknown>).Port).toBeUndefined()
	})

	test('of long lines is read at once', () => {
		const long = `A=${' '.repeat(290_000)}x`
		expect(found(`${long}\nDATABASE_URL=mysql://h/d`)).toHaveLength(1)
		expect(reasonOf(`[client]\n${long}`)).toBe('Line 2 is longer than 2000 characters.')
	})
})
