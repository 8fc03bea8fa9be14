import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Marks the place of the fuses in Electron's program (electron/fuses). After it: version, count, one byte for each. */
const sentinel = 'dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'
const fuseCount = 9

/** The systems that the packer packs for, as it names them. */
export type PackedSystem = 'linux' | 'mac' | 'win'

/**
 * Writes files in place of an unpacked Electron, whose binary is not available on every machine: what the packer reads and
 * changes is real, the program for Linux prints its arguments, and the others do not run.
 * @param packer the folder of the packer's modules
 */
export async function standInElectron(system: PackedSystem, folder: string, packer: string): Promise<void> {
	const tool = createRequire(pathToFileURL(join(packer, 'package.json')))
	const resources = await layOut[system](folder, tool)
	await mkdir(resources, { recursive: true })
	const empty = await mkdtemp(join(tmpdir(), 'roundhouse-empty-'))
	try {
		await writeFile(join(empty, 'package.json'), '{}')
		const asar = await import(tool.resolve('@electron/asar'))
		await asar.createPackage(empty, join(resources, 'default_app.asar'))
	} finally {
		await rm(empty, { recursive: true, force: true })
	}
}

const fuses = `${sentinel}\u0001${String.fromCharCode(fuseCount)}${'1'.repeat(fuseCount)}`

/** Writes the files of each system. They return the folder of its resources. */
const layOut: Readonly<Record<PackedSystem, (folder: string, tool: NodeJS.Require) => Promise<string>>> = {
	linux: async folder => {
		await write(folder, {
			electron: `#!/bin/sh\necho "$@"\nexit\n${fuses}\n`,
			...Object.fromEntries([...notices, 'chrome-sandbox', 'resources.pak'].map(name => [name, name])),
		})
		await chmod(join(folder, 'electron'), 0o755)
		return join(folder, 'resources')
	},
	mac: async (folder, tool) => {
		const contents = 'Electron.app/Contents'
		const plist = (name: string) => tool('plist').build({ CFBundleExecutable: name, CFBundlePackageType: 'APPL' })
		const bundle = (path: string, name: string) => ({
			[`${path}/Info.plist`]: plist(name),
			[`${path}/MacOS/${name}`]: name,
		})
		const helpers = ['', ' (GPU)', ' (Plugin)', ' (Renderer)'].map(kind => `Electron Helper${kind}`)
		await write(folder, {
			...Object.fromEntries(notices.map(name => [name, name])),
			...bundle(contents, 'Electron'),
			...Object.assign({}, ...helpers.map(name => bundle(`${contents}/Frameworks/${name}.app/Contents`, name))),
			[`${contents}/Frameworks/Electron Framework.framework/Electron Framework`]: fuses,
		})
		return join(folder, contents, 'Resources')
	},
	win: async (folder, tool) => {
		const { NtExecutable, NtExecutableResource, Resource } = tool('resedit')
		const program = NtExecutable.createEmpty(false, false)
		const resources = NtExecutableResource.from(program)
		const facts = Resource.VersionInfo.createEmpty()
		facts.setStringValues({ lang: 0x409, codepage: 1200 }, { ProductName: 'Electron' })
		facts.outputToResourceEntries(resources.entries)
		resources.outputResource(program)
		const bytes = Buffer.concat([Buffer.from(program.generate()), Buffer.from(fuses, 'latin1')])
		await write(folder, { 'electron.exe': bytes, ...Object.fromEntries(notices.map(name => [name, name])) })
		return join(folder, 'resources')
	},
}

const notices = ['LICENSE', 'LICENSES.chromium.html', 'version']

async function write(folder: string, files: Readonly<Record<string, string | Buffer>>): Promise<void> {
	for (const [name, content] of Object.entries(files)) {
		await mkdir(dirname(join(folder, name)), { recursive: true })
		await writeFile(join(folder, name), content, 'latin1')
	}
}
