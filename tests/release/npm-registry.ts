import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { inCheckout } from '../../scripts/layout.ts'

const run = promisify(execFile)

/** An npm registry on loopback. It has our packages, and passes requests for all others on to npm's own. */
export interface NpmRegistry extends AsyncDisposable {
	readonly url: string
	publish(tarball: string): Promise<void>
}

/** Starts Verdaccio in `folder`. It is installed from its own lock file, because a checkout does not need it. */
export async function startNpmRegistry(folder: string): Promise<NpmRegistry> {
	await cp(inCheckout('tests', 'release', 'verdaccio'), folder, { recursive: true })
	await run('npm', ['ci', '--omit=optional', '--no-audit', '--no-fund'], { cwd: folder })
	const uplink = (await run('npm', ['config', 'get', 'registry'])).stdout.trim()
	const port = await freePort()
	const url = `http://127.0.0.1:${port}/`
	await mkdir(join(folder, 'storage'))
	await writeFile(join(folder, 'config.yaml'), configOf(uplink))
	await writeFile(join(folder, '.npmrc'), `registry=${url}\n//127.0.0.1:${port}/:_authToken=unused\n`)
	const program = join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
	const words = ['--config', join(folder, 'config.yaml'), '--listen', `127.0.0.1:${port}`]
	const server = spawn(process.execPath, [program, ...words], { cwd: folder, stdio: 'ignore' })
	const ended = once(server, 'exit')
	while (!(await fetch(`${url}-/ping`).catch(() => undefined))?.ok) {
		if (server.exitCode !== null) throw new Error('Verdaccio did not start.')
		await sleep(100)
	}
	return {
		url,
		publish: async tarball => {
			await run(
				'npm',
				['publish', tarball, '--registry', url, '--userconfig', join(folder, '.npmrc'), '--tag', 'latest'],
				{
					cwd: folder,
				},
			)
		},
		[Symbol.asyncDispose]: async () => {
			server.kill()
			await ended
		},
	}
}

const configOf = (uplink: string) => `storage: ./storage
uplinks:
  npm:
    url: ${uplink}
packages:
  'roundhouse-db':
    access: $all
    publish: $all
  '@roundhouse/*':
    access: $all
    publish: $all
  '**':
    access: $all
    proxy: npm
max_body_size: 200mb
log: { type: stdout, level: fatal }
`

async function freePort(): Promise<number> {
	const server = createServer()
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const address = server.address()
	server.close()
	await once(server, 'close')
	return typeof address === 'object' && address ? address.port : 0
}
