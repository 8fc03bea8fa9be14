import type { ReleaseConfig } from './config.ts'

/**
 * Identifies the application to the operating system. Do not change this id, because the system stores settings and
 * permissions under it.
 */
const applicationId = 'io.github.roundhouse.roundhouse'

/** The Electron distribution that is packaged with a staging folder. */
interface PackedElectron {
	readonly version: string
	/** The unpacked distribution. */
	readonly folder: string
	readonly isSigned: boolean
}

/** Returns the settings of electron-builder for a stage folder. */
export const builderConfig = ({ version }: ReleaseConfig, electron: PackedElectron) => ({
	appId: applicationId,
	productName: 'Roundhouse',
	copyright: 'MIT licence',
	electronVersion: electron.version,
	electronDist: electron.folder,
	directories: { app: 'app', output: 'out', buildResources: 'build' },
	// The stage has no modules to install or rebuild.
	beforeBuild: './no-modules.cjs',
	asar: true,
	publish: null,
	forceCodeSigning: electron.isSigned,
	files: ['**/*'],
	extraResources: [
		{ from: 'program', to: 'roundhouse' },
		{ from: 'node', to: 'node' },
		// electron-builder silently skips a folder with the name `node_modules`.
		{ from: 'modules', to: 'node_modules' },
	],
	electronFuses: {
		runAsNode: false,
		enableCookieEncryption: true,
		enableNodeOptionsEnvironmentVariable: false,
		enableNodeCliInspectArguments: false,
		enableEmbeddedAsarIntegrityValidation: true,
		onlyLoadAppFromAsar: true,
		grantFileProtocolExtraPrivileges: false,
	},
	protocols: [{ name: 'Roundhouse', schemes: ['roundhouse'] }],
	linux: {
		// The name of the command and of the desktop entry. Applications of macOS and Windows are named like the product.
		executableName: 'roundhouse',
		target: ['deb', 'AppImage'],
		artifactName: `Roundhouse-${version}-\${arch}.\${ext}`,
		category: 'Development',
		icon: 'build/icons',
		synopsis: 'Database client for people and AI clients',
		maintainer: 'Roundhouse',
		desktop: { entry: { StartupWMClass: 'roundhouse', Keywords: 'database;sql;search;mcp;' } },
	},
	mac: {
		target: ['dmg', 'zip'],
		artifactName: `Roundhouse-${version}-\${arch}.\${ext}`,
		category: 'public.app-category.developer-tools',
		icon: 'build/icon.icns',
		hardenedRuntime: true,
		entitlements: 'build/entitlements.plist',
		entitlementsInherit: 'build/entitlements.plist',
		minimumSystemVersion: '13.0',
		// Only the release workflow has the signing certificate.
		...(electron.isSigned ? { notarize: true } : { identity: null }),
	},
	win: { target: ['nsis'], icon: 'build/icon.ico' },
	nsis: {
		oneClick: true,
		perMachine: false,
		deleteAppDataOnUninstall: false,
		artifactName: `Roundhouse-Setup-${version}.\${ext}`,
	},
})

/**
 * Entitlements of the hardened runtime on macOS. V8 needs JIT compilation, and the host loads modules that other
 * developers signed.
 */
export const entitlements = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>com.apple.security.cs.allow-jit</key>
	<true/>
	<key>com.apple.security.cs.disable-library-validation</key>
	<true/>
</dict>
</plist>
`
