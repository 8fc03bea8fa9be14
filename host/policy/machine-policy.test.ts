import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { temporarySupport } from '../../tests/support/support-directory.ts'
import { MachinePolicy, policyFile } from './machine-policy.ts'

const mine = 'ab'.repeat(32)
const release = { registry: mine, publisher: 'acme', id: 'tiny', version: '1.4.0' }

async function policyOf(text: string | object): Promise<MachinePolicy> {
	await using support = await temporarySupport()
	const file = support.file('policy.json')
	await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text))
	return MachinePolicy.read(file)
}

test('a machine without a policy allows everything', async () => {
	await using support = await temporarySupport()
	const policy = await MachinePolicy.read(support.file('policy.json'))
	expect([policy.isThere, policy.fault]).toEqual([false, undefined])
	expect([policy.releaseRefusal(release), policy.aiRefusal()]).toEqual([undefined, undefined])
})

test('what it does not name is allowed', async () => {
	const policy = await policyOf({ version: 1 })
	expect(policy.isThere).toBe(true)
	expect([policy.releaseRefusal(release), policy.aiRefusal()]).toEqual([undefined, undefined])
})

test.each([
	[{ registries: [] }, /does not allow the registry abab/],
	[{ registries: ['cd'.repeat(32)] }, /does not allow the registry abab/],
	[{ registries: [mine] }, undefined],
	[{ publishers: ['other'] }, /allows no drivers of acme/],
	[{ publishers: ['other', 'acme'] }, undefined],
	[{ drivers: { other: '*' } }, /does not allow the driver tiny/],
	[{ drivers: { tiny: '^2' } }, /allows tiny in \^2 alone, and this is 1.4.0/],
	[{ drivers: { tiny: '^1.2' } }, undefined],
])('%j: %s', async (rules, refusal) => {
	const policy = await policyOf({ version: 1, ...rules })
	const { message = '' } = policy.releaseRefusal(release) ?? {}
	expect(message).toMatch(refusal ?? /^$/)
	if (refusal) expect(message).toContain(policy.file)
	expect(policy.aiRefusal()).toBe(undefined)
})

test('AI access is switched off by it', async () => {
	const policy = await policyOf({ version: 1, aiAccess: false })
	expect(policy.aiRefusal()?.message).toContain(`${policy.file}, switches AI access off`)
	expect(policy.releaseRefusal(release)).toBe(undefined)
})

test.each([
	['', 'JSON'],
	['{', 'JSON'],
	['[]', 'expected object'],
	['{"aiAccess":true}', 'version'],
	['{"version":2}', 'version'],
	['{"version":1,"registires":[]}', 'registires'],
	['{"version":1,"registries":["abc"]}', 'registries.0: a fingerprint has 64 hexadecimal digits'],
	['{"version":1,"drivers":{"tiny":"newest"}}', 'drivers.tiny: is no range'],
	['{"version":1,"aiAccess":"no"}', 'aiAccess'],
])('what cannot be understood allows nothing: %s', async (text, reason) => {
	const policy = await policyOf(text)
	expect(policy.fault?.message).toContain(`${policy.file}, cannot be read`)
	expect(policy.fault?.message).toContain(reason)
	expect([policy.releaseRefusal(release)?.code, policy.aiRefusal()?.code]).toEqual([
		'policy/unreadable',
		'policy/unreadable',
	])
})

test('neither does what cannot be opened', async () => {
	await using support = await temporarySupport()
	const folder = support.file('policy.json')
	await mkdir(folder)
	await chmod(folder, 0o700)
	expect((await MachinePolicy.read(folder)).fault?.code).toBe('policy/unreadable')
})

test('a file may begin with the mark of its editor', async () => {
	expect((await policyOf('\uFEFF{"version":1,"aiAccess":false}')).aiRefusal()?.code).toBe('policy/ai_access')
})

test('nothing a person sets moves it', () => {
	expect(policyFile('linux')).toBe('/etc/roundhouse/policy.json')
	expect(policyFile('darwin')).toBe('/Library/Application Support/roundhouse/policy.json')
	expect(policyFile('win32')).toBe('C:\\ProgramData\\roundhouse\\policy.json')
})
