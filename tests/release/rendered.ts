import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inCheckout } from '../../scripts/layout.ts'

const run = promisify(execFile)

export interface Rendering {
	/** Replaces members of `release.json`. */
	readonly change?: Readonly<Record<string, unknown>>
	readonly args?: readonly string[]
	readonly umask?: string
	readonly env?: Readonly<Record<string, string>>
}

/** A release that was rendered for a test. */
export interface Rendered extends AsyncDisposable {
	readonly folder: string
	readonly version: string
	read(...path: string[]): Promise<Buffer>
}

/** Renders a release in a separate process, as `npm run release` does. */
export async function render({ change = {}, args = [], umask = '022', env = {} }: Rendering = {}): Promise<Rendered> {
	const root = await mkdtemp(join(tmpdir(), 'roundhouse-release-'))
	const folder = join(root, 'out')
	const config = { ...JSON.parse(await readFile(inCheckout('release.json'), 'utf8')), ...change }
	await writeFile(join(root, 'release.json'), JSON.stringify(config))
	const words = [
		process.execPath,
		inCheckout('scripts', 'release.ts'),
		'--out',
		folder,
		'--config',
		join(root, 'release.json'),
	]
	await run('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', ...words, ...args], { env: { ...process.env, ...env } })
	return {
		folder,
		version: config.version,
		read: (...path) => readFile(join(folder, ...path)),
		[Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
	}
}
