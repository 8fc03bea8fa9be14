/** Supported revisions of MCP (contract, "Versioning"), newest first. */
export const modernVersion = '2026-07-28'
export const newestLegacyVersion = '2025-11-25'
const legacyVersions = [newestLegacyVersion, '2025-06-18'] as const

export const supportedVersions: readonly string[] = [modernVersion, ...legacyVersions]

export type LegacyVersion = (typeof legacyVersions)[number]

export function isLegacyVersion(version: unknown): version is LegacyVersion {
	return legacyVersions.some(legacy => legacy === version)
}

/** Modern requests are stateless. Legacy requests belong to a session that `initialize` opened. */
export type Era = 'modern' | 'legacy'
