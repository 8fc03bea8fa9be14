import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { driverErrorCodes } from '@roundhouse/kit'
import { expect, test } from 'vitest'
import { fileErrors } from '../../base/atomic-file.ts'
import { versionErrors } from '../../base/control-file.ts'
import type { ErrorRegistry } from '../../base/errors.ts'
import { lockErrors } from '../../base/host-lock.ts'
import { supportErrors } from '../../base/support-directory.ts'
import { apiErrors, writeErrors } from '../../host/api/errors.ts'
import { setupErrors } from '../../host/client-setup/setup.ts'
import { commandErrors } from '../../host/commands/context.ts'
import { connectionErrors, secretErrors } from '../../host/connections/errors.ts'
import { checkErrors } from '../../host/driver-check/errors.ts'
import { driverProcessErrors } from '../../host/driver-runtime/driver-process.ts'
import { exportErrors } from '../../host/exports/errors.ts'
import { importErrors } from '../../host/imports/errors.ts'
import { pairingErrors } from '../../host/mcp/access/pairing-link.ts'
import { tokenErrors } from '../../host/mcp/access/tokens.ts'
import { networkErrors } from '../../host/network/errors.ts'
import { pluginErrors } from '../../host/plugin-loader/errors.ts'
import { policyErrors } from '../../host/policy/errors.ts'
import { offerErrors, requestErrors } from '../../host/requests/errors.ts'
import { undoErrors } from '../../host/undo/errors.ts'
import { registryClientErrors } from '../../registry/client/errors.ts'
import { registryErrors } from '../../registry/format/errors.ts'
import { sources } from './sources.ts'

/** Every error code is documented, and every documented code exists (docs/errors.md). */
const registries: readonly Pick<ErrorRegistry<Record<string, string>>, 'boundary' | 'templates'>[] = [
	apiErrors,
	checkErrors,
	commandErrors,
	connectionErrors,
	driverProcessErrors,
	exportErrors,
	fileErrors,
	importErrors,
	lockErrors,
	networkErrors,
	offerErrors,
	policyErrors,
	pairingErrors,
	pluginErrors,
	registryClientErrors,
	registryErrors,
	requestErrors,
	secretErrors,
	setupErrors,
	supportErrors,
	tokenErrors,
	undoErrors,
	versionErrors,
	writeErrors,
]
const made = [
	...registries.flatMap(({ boundary, templates }) => Object.keys(templates).map(code => `${boundary}/${code}`)),
	...Object.keys(driverErrorCodes),
].sort()
const documented = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z_/-]+)` \|/gm)]
	.map(match => match[1])
	.sort()

test('this test lists every registry of errors', () => {
	const sources = execFileSync(
		'git',
		['grep', '-hoE', "defineErrors\\('[a-z]+'", '--', 'base/*.ts', 'host/*.ts', 'registry/*.ts'],
		{
			encoding: 'utf8',
		},
	)
	const boundaries = [...new Set([...sources.matchAll(/'([a-z]+)'/g)].map(match => match[1]))]
	expect([...new Set(registries.map(({ boundary }) => boundary))].sort()).toEqual(boundaries.sort())
})

test('every error code is raised somewhere', () => {
	const ours = sources.filter(file => /^(base|host|registry)\//.test(file) && !file.endsWith('.test.ts'))
	const texts = ours.map(file => readFileSync(file, 'utf8')).join('\n')
	const raised = new Set([...texts.matchAll(/Errors\.make\(\s*'(\w+)'/g)].map(match => match[1]))
	const codes = registries.flatMap(({ boundary, templates }) =>
		Object.keys(templates).map(code => ({ boundary, code })),
	)
	expect(codes.filter(({ code }) => !raised.has(code))).toEqual([])
})

test('every error code is documented, and every documented code exists', () => {
	expect(documented).toEqual(made)
})
