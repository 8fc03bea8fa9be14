import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tryFileLock } from '../../base/file-lock.ts'
import { plainManifest } from '../support/manifest.ts'
import { Roundhouse } from '../support/roundhouse.ts'

/** A registry that is created and maintained from the command line, as docs/registry.md describes. */

let folder: string
let roundhouse: Roundhouse

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'roundhouse-registry-'))
	roundhouse = await Roundhouse.make()
})

afterEach(async () => {
	await roundhouse[Symbol.asyncDispose]()
	await rm(folder, { recursive: true, force: true })
})

const at = (...path: string[]) => join(folder, ...path)
const registry = (...args: string[]) => roundhouse.run(['registry', ...args])

/** Returns the commands of a section of the document, block by block. */
async function commandsOf(heading: string): Promise<string[]> {
	const document = await readFile('docs/registry.md', 'utf8')
	const section = document.split(/^## /m).find(text => text.startsWith(`${heading}\n`)) ?? ''
	return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands)
}

/** Runs lines of a shell in which `roundhouse` is the product. Fails with the first line that fails. */
async function shell(commands: string): Promise<string> {
	const bin = at('bin')
	await mkdir(bin, { recursive: true })
	const { command, args } = roundhouse.command()
	await writeFile(
		join(bin, 'roundhouse'),
		`#!/bin/sh\nexec '${command}' ${args.map(arg => `'${arg}'`).join(' ')} "$@"\n`,
	)
	await chmod(join(bin, 'roundhouse'), 0o700)
	const env = { ...roundhouse.environment, PATH: `${bin}${delimiter}${process.env.PATH}` }
	const { stdout } = await promisify(execFile)('sh', ['-euc', commands], { cwd: folder, env })
	return stdout
}

test('a third party can create a registry that another host trusts', async () => {
	const blocks = await commandsOf('From nothing to a registry that another host trusts')
	expect(blocks.length).toBeGreaterThan(8)
	for (const commands of blocks) await shell(commands)

	const { fingerprint, roles, targets, findings } = JSON.parse(await shell('roundhouse registry verify shelf --json'))
	expect(findings).toEqual([])
	expect(targets).toContain('acme/guestbook/1.0.0.tgz')
	expect(roles).toContainEqual(expect.objectContaining({ role: 'root', version: 2, threshold: 2, keys: 2 }))
	const installed = JSON.parse(
		await shell(`roundhouse plugin list --json --registry "file://$PWD/public" --registry-key ${fingerprint}`),
	)
	expect(installed).toMatchObject([{ id: 'guestbook', installedVersion: '1.0.0' }])

	for (const commands of await commandsOf('Without a network')) await shell(commands)
	expect(await readdir(folder)).toContain('guestbook.zip')
})

test('commands exit with 1 for findings, and with 2 for wrong arguments', async () => {
	const made = await roundhouse.json(['registry', 'init', at('shelf'), '--name', 'Shelf', '--publisher', 'acme'])
	expect(made).toMatchObject({ name: 'Shelf', threshold: 2, fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) })
	expect((await registry('verify', at('shelf'))).code).toBe(0)
	expect((await registry('verify', at('nothing'))).code).toBe(1)
	expect((await registry('verify', at('shelf'), '--fingerprint', 'f'.repeat(64))).code).toBe(1)
	expect(await registry('serve', at('nothing'))).toMatchObject({
		code: 1,
		stderr: expect.stringContaining('not a registry'),
	})
	expect((await registry('verify', '--shelf')).code).toBe(2)
	expect((await registry('add', at('driver'))).code).toBe(2)
	expect((await registry('--help')).code).toBe(0)

	await rm(at('shelf', 'targets'), { recursive: true })
	const { code, stdout, stderr } = await registry('verify', at('shelf'), '--json')
	expect(code).toBe(1)
	expect(JSON.parse(stdout).findings.map(({ where }: { where: string }) => where)).toEqual([
		'registry.json',
		'revocations.json',
	])
	expect(stderr).toContain('2 findings')
})

test('a failed signature changes nothing', async () => {
	await roundhouse.json(['registry', 'init', at('shelf'), '--name', 'Shelf'])
	for (const name of await readdir(at('shelf.keys')))
		if (/^(root|targets)-/.test(name)) await rename(at('shelf.keys', name), at(name))
	const before = [await readdir(at('shelf/metadata')), await readdir(at('shelf.keys'))]
	for (const args of [
		['rotate'],
		['rotate', '--role', 'timestamp'],
		['delegate', 'acme'],
		['rotate', '--role', 'revocations'],
	]) {
		const { code, stderr } = await registry(...args, '--registry', at('shelf'))
		expect([code, stderr], args.join(' ')).toEqual([1, expect.stringContaining('of its keys to sign')])
	}
	expect([await readdir(at('shelf/metadata')), await readdir(at('shelf.keys'))]).toEqual(before)
})

test('a second writer is asked to wait', async () => {
	await roundhouse.json(['registry', 'init', at('shelf'), '--name', 'Shelf'])
	using lock = tryFileLock(at('shelf', '.lock'))
	expect(lock).toBeDefined()
	const { code, stderr } = await registry('sign', '--registry', at('shelf'))
	expect([code, stderr]).toEqual([1, expect.stringContaining('Another command is using the registry')])
})

test('a wrong spelling gets a clear message', async () => {
	for (const args of [
		['plugin', 'registries', 'add', 'https://drivers.example/', '--fingerprint', 'abc'],
		['plugin', 'install', '--from', 'some.zip', '--fingerprint', 'abc'],
		['registry', 'verify', at('shelf'), '--fingerprint', 'abc'],
	]) {
		const { code, stderr } = await roundhouse.run(args)
		expect([code, stderr], args.join(' ')).toEqual([
			2,
			expect.stringContaining('A fingerprint has 64 hexadecimal digits.'),
		])
	}
	await roundhouse.json(['registry', 'init', at('shelf'), '--name', 'Shelf', '--publisher', 'acme'])
	await mkdir(at('driver'))
	const roundhouseOf = { ...plainManifest, id: 'tiny', displayName: 'Tiny', colour: 'red' }
	await writeFile(
		at('driver/package.json'),
		JSON.stringify({ name: 'tiny', version: '1.0.0', roundhouse: roundhouseOf }),
	)
	const { code, stderr } = await registry('add', at('driver'), '--publisher', 'acme', '--registry', at('shelf'))
	expect(code).toBe(1)
	expect(stderr).toContain(
		`${at('driver/package.json')} does not describe a driver: roundhouse: Unrecognized key: "colour".`,
	)
})
