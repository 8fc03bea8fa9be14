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
	return await MachinePolicy.read(file)
}

test('a machine without a policy allows everything', async () => {
	await using support = await temporarySupport()
	const policy = await MachinePolicy.read(support.file('policy.json'))
	expect([policy.exists, policy.fault]).toEqual([false, undefined])
	expect([policy.releaseRefusal(release), policy.aiRefusal()]).toEqual([undefined, undefined])
})

test('a policy without rules allows everything', async () => {
	const policy = await policyOf({ version: 1 })
	expect(policy.exists).toBe(true)
	expect([policy.releaseRefusal(release), policy.aiRefusal()]).toEqual([undefined, undefined])
})

test.each([
	[{ registries: [] }, /does not allow the registry abab/],
	[{ registries: ['cd'.repeat(32)] }, /does not allow the registry abab/],
	[{ registries: [mine] }, undefined],
	[{ publishers: ['other'] }, /allows no drivers of acme/],
	[{ publishers: ['other', 'acme'] }, undefined],
	[{ drivers: { other: '*' } }, /does not allow the driver tiny/],
	[{ drivers: { tiny: '^2' } }, /allows tiny \^2\. This release is 1\.4\.0/],
	[{ drivers: { tiny: '^1.2' } }, undefined],
])('%j: %s', async (rules, refusal) => {
	const policy = await policyOf({ version: 1, ...rules })
	const { message = '' } = policy.releaseRefusal(release) ?? {}
	expect(message).toMatch(refusal ?? /^$/)
	if (refusal) expect(message).toContain(policy.file)
	expect(policy.aiRefusal()).toBe(undefined)
})

test('a policy hides columns on each connection that has the table', async () => {
	const hiddenColumns = [{ table: 'public.people', columns: ['email'] }]
	const policy = await policyOf({ version: 1, hiddenColumns })
	expect(policy.hiddenColumns).toEqual([{ ...hiddenColumns[0], isOptional: true }])
})

test('a policy can switch off that replaced rows are kept', async () => {
	const kept = await Promise.all(
		[{}, { keepReplaced: false }, { unknown: 1 }].map(rules => policyOf({ version: 1, ...rules })),
	)
	expect([MachinePolicy.none, ...kept].map(({ keepsReplaced }) => keepsReplaced)).toEqual([true, true, false, false])
})

test('a policy can switch off AI access', async () => {
	const policy = await policyOf({ version: 1, aiAccess: false })
	expect(policy.aiRefusal()?.message).toContain(`${policy.file}, switches off AI access`)
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
	['{"version":1,"drivers":{"tiny":"newest"}}', 'drivers.tiny: is not a semver range'],
	['{"version":1,"aiAccess":"no"}', 'aiAccess'],
])('an invalid policy allows nothing: %s', async (text, reason) => {
	const policy = await policyOf(text)
	expect(policy.fault?.message).toContain(`${policy.file}, cannot be read`)
	expect(policy.fault?.message).toContain(reason)
	expect([policy.releaseRefusal(release)?.code, policy.aiRefusal()?.code]).toEqual([
		'policy/unreadable',
		'policy/unreadable',
	])
})

test('a policy file that cannot be opened allows nothing', async () => {
	await using support = await temporarySupport()
	const folder = support.file('policy.json')
	await mkdir(folder)
	await chmod(folder, 0o700)
	expect((await MachinePolicy.read(folder)).fault?.code).toBe('policy/unreadable')
})

test('a policy file may begin with a byte order mark', async () => {
	expect((await policyOf('\uFEFF{"version":1,"aiAccess":false}')).aiRefusal()?.code).toBe('policy/ai_access')
})

test('the path of the policy file is fixed for each system', () => {
	expect(policyFile('linux')).toBe('/etc/roundhouse/policy.json')
	expect(policyFile('darwin')).toBe('/Library/Application Support/roundhouse/policy.json')
	expect(policyFile('win32')).toBe('C:\\ProgramData\\roundhouse\\policy.json')
})
