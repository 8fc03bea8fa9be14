import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isRunning } from '../../../base/is-running.ts'
import { runCommand, wordsOf } from './run-command.ts'

const never = new AbortController().signal
/** A command that runs JavaScript. */
const script = (code: string) => `"${process.execPath}" -e '${code}'`

describe('the words of a command', () => {
	test.each<[string, readonly string[]]>([
		['op read op://vault/db/password', ['op', 'read', 'op://vault/db/password']],
		['  pass   show  a ', ['pass', 'show', 'a']],
		[`get 'two words' "and \\"more\\""`, ['get', 'two words', 'and "more"']],
		['a\\ b c\\\\d', ['a b', 'c\\d']],
		[`'C:\\dir\\x.exe' ''`, ['C:\\dir\\x.exe', '']],
		['"C:\\dir\\x.exe"', ['C:\\dir\\x.exe']],
		['echo $HOME `id` $(id) ; id | id > f', ['echo', '$HOME', '`id`', '$(id)', ';', 'id', '|', 'id', '>', 'f']],
		["pre'f'ix", ['prefix']],
	])('%j', (command, words) => expect(wordsOf(command)).toEqual(words))

	test('a quote without an end is refused', () => expect(() => wordsOf(`echo 'x`)).toThrow('A quote has no end'))
})

describe('a command', () => {
	let folder: string
	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'roundhouse-command-'))
	})
	afterAll(() => rm(folder, { recursive: true, force: true }))

	test('gives its first line', async () => {
		expect(await runCommand(script('console.log("  s 3 \\r\\nurl: x")'), never)).toBe('  s 3 ')
	})

	test.each<[string, string, string]>([
		['that fails', 'console.error("vault is sealed"); process.exit(3)', 'It ended with the code 3.\nvault is sealed'],
		['that prints nothing', 'console.error("sign in first")', 'It printed nothing in its first line.\nsign in first'],
		['that begins with an empty line', 'console.log("\\nx")', 'It printed nothing in its first line.'],
	])('%s says why', async (_, code, words) => {
		await expect(runCommand(script(code), never)).rejects.toThrow(words)
	})

	test('that does not exist is named', async () => {
		await expect(runCommand('roundhouse-no-such-program x', never)).rejects.toThrow(
			'There is no program roundhouse-no-such-program.',
		)
	})

	test('that prints without end is stopped', async () => {
		await expect(runCommand(script('setInterval(() => console.log("x".repeat(100_000)), 1)'), never)).rejects.toThrow(
			'printed too much',
		)
	})

	test('that never ends is stopped with what it started', async () => {
		const file = join(folder, 'pid')
		const sleeping = 'spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" })'
		const code = `const { spawn } = require("node:child_process"); require("node:fs").writeFileSync("${file}", String(${sleeping}.pid)); setInterval(() => {}, 1000)`
		const stop = new AbortController()
		const running = runCommand(script(code), stop.signal)
		await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toMatch(/^\d+$/)
		const pid = Number(await readFile(file, 'utf8'))
		stop.abort(new Error('no longer needed'))
		await expect(running).rejects.toThrow('no longer needed')
		await expect.poll(() => isRunning(pid)).toBe(false)
	})

	test('that takes too long is stopped', async () => {
		await expect(runCommand(script('setInterval(() => {}, 1000)'), never, 200)).rejects.toThrow(
			'longer than 0.2 seconds',
		)
	})

	test('has the environment of the host, without what is ours', async () => {
		vi.stubEnv('ROUNDHOUSE_TEST_KEY', 'ours')
		vi.stubEnv('VAULT_ADDR', 'https://vault.test')
		try {
			const code = 'console.log(process.env.VAULT_ADDR + " " + process.env.ROUNDHOUSE_TEST_KEY)'
			expect(await runCommand(script(code), never)).toBe('https://vault.test undefined')
		} finally {
			vi.unstubAllEnvs()
		}
	})
})
