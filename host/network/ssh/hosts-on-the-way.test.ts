import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasSshServer } from '../../../tests/support/ssh-servers.ts'
import { haveOwnNames } from './hosts-on-the-way.ts'

/** By the `ssh` of this machine, which asks nothing and reaches nothing here. */

const config = `
Host inner
  HostName bastion
  Port 2222
  ProxyJump outer
Host outer
  HostName bastion
Host alone
  HostName db
  ProxyJump outer
Host deep
  HostName db
  ProxyJump alone
Host alias
  HostName db
  HostKeyAlias Bastion
  ProxyJump outer
Host command
  ProxyCommand ssh -W %h:%p outer
Host direct
  ProxyJump none
Host circle
  ProxyJump circle
Host written
  ProxyJump ssh://me@outer:22,other
Match originalhost matched exec true
  ProxyJump matched-hop
Host matched-hop matched
  HostName same
Host long-one
  HostName ${'a'.repeat(130)}1
  ProxyJump long-other
Host long-other
  HostName ${'a'.repeat(130)}2
`

describe.skipIf(!hasSshServer)('by ssh', () => {
	let folder: string

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'rh-names-'))
		await writeFile(join(folder, 'config'), config)
	})
	afterAll(() => rm(folder, { recursive: true }))

	test.each([
		[{ destination: 'outer' }, true],
		[{ destination: 'me@elsewhere:22', jump: 'me@outer,other' }, true],
		[{ destination: 'alone' }, true],
		[{ destination: 'direct' }, true],
		[{ destination: 'me@bastion:2222', jump: 'me@BASTION' }, false],
		[{ destination: 'inner' }, false],
		[{ destination: 'db', jump: 'inner' }, false],
		// The configuration's way to the first of the hosts of a form counts, that to a later one does not.
		[{ destination: 'else', jump: 'inner,other' }, false],
		[{ destination: 'else', jump: 'other,inner' }, true],
		[{ destination: 'me@outer', jump: 'bastion' }, false],
		[{ destination: 'deep' }, false],
		[{ destination: 'alias' }, false],
		[{ destination: 'command' }, false],
		[{ destination: 'else', jump: 'command' }, false],
		[{ destination: 'circle' }, false],
		[{ destination: 'written' }, false],
		[{ destination: 'matched' }, false],
		[{ destination: 'long-one' }, false],
	])('%o: %s', async (setting, isTrue) => {
		expect(await haveOwnNames(setting, ['-F', join(folder, 'config')])).toBe(isTrue)
	})

	test('a configuration that cannot be read has none', async () => {
		expect(await haveOwnNames({ destination: 'outer' }, ['-F', join(folder, 'none')])).toBe(false)
	})
})
