import { spawnSync } from 'node:child_process'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildShell } from '../build-parts.ts'
import { inCheckout } from '../layout.ts'
import { run } from '../run.ts'
import type { ReleaseConfig } from './config.ts'
import { builderConfig, entitlements } from './desktop-config.ts'
import { type Draw, writeIcons } from './icons.ts'
import { copyStripped, fromArchive, fromCheckout } from './node-binary.ts'
import { nodePackages } from './node-platforms.ts'
import { external } from './npm-package.ts'
import { copyModules } from './run-time-modules.ts'
import { settle } from './tarball.ts'

/** What a stage is made of. */
export interface DesktopPlan {
	readonly config: ReleaseConfig
	/** The folder of the program (program.ts). */
	readonly program: string
	/** An unpacked Electron for this platform. */
	readonly electron: string
	/** Node's archives, if they are at hand. */
	readonly archives?: string | undefined
	/** Whether the packer signs, with the certificates of its environment. */
	readonly isSigned: boolean
	/** The folder for the stage. */
	readonly stage: string
}

/** Installs the packer from its lock file, beside its manifest. @returns its folder */
export async function installPacker(): Promise<string> {
	const folder = inCheckout('scripts', 'release', 'desktop')
	// Its scripts would download tools that the targets here do not need.
	const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', '--prefix', folder]
	if ((await run('npm', words)) !== 0) throw new Error('The desktop packer cannot be installed.')
	return folder
}

/** Renders the folder that electron-builder packs: shell, program, Node, modules, icons and settings. */
export async function stageDesktop(plan: DesktopPlan): Promise<string> {
	const { config, program, electron, archives, stage, isSigned } = plan
	const packer = await installPacker()
	await rm(stage, { recursive: true, force: true })
	const { version, date } = config
	const app = join(stage, 'app')
	await mkdir(app, { recursive: true })
	await buildShell({ folder: app, version })
	const manifest = {
		name: 'roundhouse',
		productName: 'Roundhouse',
		version,
		type: 'module',
		main: 'electron.js',
		description: 'Database client for people and AI clients',
		license: 'MIT',
		author: 'Roundhouse',
		desktopName: 'roundhouse.desktop',
	}
	await writeFile(join(app, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
	for (const part of ['dist', 'host', 'LICENSE', 'THIRD-PARTY-NOTICES.txt'])
		await cp(join(program, part), join(stage, 'program', part), { recursive: true })
	// The shell is in the application's archive.
	await rm(join(stage, 'program', 'dist', 'host', 'electron.js'), { force: true })
	await copyModules(
		external.map(({ name }) => name),
		join(stage, 'modules'),
	)
	await stageNode(config, stage, archives)
	const { Resvg } = createRequire(pathToFileURL(join(packer, 'package.json')))('@resvg/resvg-js')
	const svg = await readFile(inCheckout('ui', 'icon.svg'), 'utf8')
	const draw: Draw = width => new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng()
	await writeIcons(draw, join(stage, 'build'))
	await writeFile(join(stage, 'build', 'entitlements.plist'), entitlements)
	await writeFile(join(stage, 'no-modules.cjs'), 'module.exports = async () => false\n')
	const { devDependencies } = JSON.parse(await readFile(inCheckout('package.json'), 'utf8'))
	const settings = builderConfig(config, { version: devDependencies.electron, folder: electron, isSigned })
	await writeFile(join(stage, 'builder.json'), `${JSON.stringify(settings, undefined, 2)}\n`)
	await writeFile(join(stage, 'package.json'), `${JSON.stringify({ ...manifest, main: undefined }, undefined, 2)}\n`)
	await settle(stage, date, [`node/bin/node`, 'program/host/bin/roundhouse.mjs'])
	return packer
}

async function stageNode(config: ReleaseConfig, stage: string, archives: string | undefined): Promise<void> {
	const pack = nodePackages.find(({ os, cpu }) => os === process.platform && cpu === process.arch)
	if (!pack) throw new Error(`There is no Node for ${process.platform} on ${process.arch}.`)
	const staging = join(stage, 'archive')
	const origin = archives
		? await fromArchive(pack, config, { archives, staging })
		: await fromCheckout(pack, config.node)
	if (!origin) throw new Error('The pinned Node is not installed. Run: npm ci')
	await copyStripped(pack, origin.program, join(stage, 'node', 'bin'))
	await cp(origin.license, join(stage, 'node', 'LICENSE'))
	await rm(staging, { recursive: true, force: true })
}

/** Packs a stage. @param targets a system and its formats each, for example `linux dir` */
export function packDesktop(packer: string, stage: string, targets: readonly string[]): void {
	const program = join(packer, 'node_modules', 'electron-builder', 'cli.js')
	const options = targets.map(target => `--${target}`).flatMap(target => target.split(' '))
	const words = [
		program,
		'--projectDir',
		stage,
		'--config',
		join(stage, 'builder.json'),
		'--publish',
		'never',
		...options,
	]
	// Its hooks are relative to the current folder.
	const { status } = spawnSync(process.execPath, words, { cwd: stage, stdio: 'inherit' })
	if (status !== 0) throw new Error('electron-builder failed.')
}
