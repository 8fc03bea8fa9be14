import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Askpass } from './askpass.ts'

test.runIf(process.platform !== 'win32')(
	'ssh, which waits for the end of its pipe, has the answer at once',
	async () => {
		const folder = await mkdtemp(join(tmpdir(), 'rh-answer-'))
		// What watches for the end of ssh would hold the pipe for an hour.
		await writeFile(join(folder, 'sleep'), '#!/bin/sh\nexec /bin/sleep 3600\n', { mode: 0o700 })
		const askpass = await Askpass.open(join(folder, 'q'), async ({ text }) => `the answer to ${text}`)
		const env = { PATH: `${folder}${delimiter}${process.env.PATH}` }
		// `ssh` leaves its end of the pipe open as another descriptor too.
		const program = spawn(askpass.program, ['a question'], { env, stdio: ['ignore', 'pipe', 'ignore', 'pipe'] })
		const [, , , other] = program.stdio
		if (other instanceof Socket) other.resume()
		onTestFinished(async () => {
			await askpass.close()
			await rm(folder, { recursive: true })
		})
		let answer = ''
		program.stdout?.on('data', data => {
			answer += data
		})
		await once(program, 'close')
		expect(answer).toBe('the answer to a question\n')
	},
)
