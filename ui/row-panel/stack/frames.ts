/** One call of a stack trace. */
export interface Frame {
	/** The function, with its class or module; empty if it has no name. */
	readonly call: string
	/** File and line: `PaymentClient.java:88`. */
	readonly place: string
	/** Whether the program's authors wrote it, as far as its name or path tells. */
	readonly isOwn: boolean
	/** The package or library that it is from. */
	readonly from: string
}

/** No frame is so long, and a longer line could take long to read. */
const longest = 2_000

/** Packages of runtimes and of common libraries for the JVM and .NET. */
const libraries = [
	/^(java|javax|jakarta|jdk|sun|kotlin|kotlinx|scala|akka|groovy|clojure|okhttp3|okio|retrofit2|feign|reactor|android|androidx)\./,
	/^com\.(sun|google|fasterxml|zaxxer|mysql|mongodb|netflix|amazonaws|oracle|microsoft|rabbitmq)\./,
	/^org\.(springframework|apache|hibernate|eclipse|jboss|postgresql|mariadb|elasticsearch|slf4j|junit|codehaus|aspectj|quartz)\./,
	/^io\.(netty|grpc|undertow|micrometer|micronaut|quarkus|vertx|lettuce|reactivex|opentelemetry|ktor)\./,
	/^(System|Microsoft|Npgsql|MySql|MySqlConnector|MongoDB|StackExchange|Newtonsoft|Grpc|Polly|Serilog|NLog|Dapper|MediatR|Castle)\./,
]

/** First parts of package names that say nothing without the second part. */
const generic = new Set(['java', 'javax', 'jakarta', 'com', 'org', 'io', 'net', 'System', 'Microsoft'])

const baseName = (path: string) => path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

function ofPackage(call: string, place: string): Frame {
	const [first = '', second = ''] = call.split('.')
	const from = generic.has(first) ? `${first}.${second}` : first
	return { call, place, isOwn: !libraries.some(library => library.test(call)), from }
}

function ofScript(call: string, path: string): Frame {
	const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? []
	const isRuntime = !/[/\\]/.test(path) || path.startsWith('node:')
	return { call, place: baseName(path), isOwn: name === undefined && !isRuntime, from: name ?? 'node' }
}

const [javaFrame, dotnetFrame, nodeFrame, nodePlace] = [
	/^(?:[\w.@-]*\/{1,2})*([\w.$<>-]+)\(([\w$.-]+\.(?:java|kt|kts|scala|groovy|clj)(?::\d+)?|Native Method|Unknown Source|<generated>)\)/,
	/^([\w.`<>[\],+|$]+)\([^()]*\)(?: in (.+):line (\d+))?$/,
	/^(.+) \(([^()\s]+:\d+:\d+|native|<anonymous>)\)$/,
	/^\S+:\d+:\d+$/,
]

/** Reads a line `at …`, as the JVM, .NET and Node write it. */
export function readAtFrame(line: string): Frame | undefined {
	if (line.length > longest) return undefined
	const [, text] = /^\s*at (?:async )?(.+?)(?: \{)?$/.exec(line) ?? []
	if (text === undefined) return undefined
	const [, javaCall, javaPlace] = javaFrame.exec(text) ?? []
	if (javaCall !== undefined) return ofPackage(javaCall, javaPlace ?? '')
	const [, scriptCall, path] = nodeFrame.exec(text) ?? []
	if (path !== undefined) return ofScript(scriptCall ?? '', path)
	if (nodePlace.test(text)) return ofScript('', text)
	const [, call, file, number] = dotnetFrame.exec(text) ?? []
	return call?.includes('.') ? ofPackage(call, file === undefined ? '' : `${baseName(file)}:${number}`) : undefined
}

/** Reads a line `File "…", line 3, in name` of Python. */
export function readPythonFrame(line: string): Frame | undefined {
	if (line.length > longest) return undefined
	const [, path, number, call = ''] = /^\s*File "([^"]*)", line (\d+)(?:, in (.+))?$/.exec(line) ?? []
	if (path === undefined) return undefined
	const [, library] = /.*(?:site|dist)-packages[/\\]([^/\\]+?)(?:\.py)?(?:[/\\]|$)/.exec(path) ?? []
	const isRuntime = /[/\\]lib(?:64)?[/\\]python[\d.]+[/\\]|^<frozen/i.test(path)
	const isOwn = library === undefined && !isRuntime
	return { call, place: `${baseName(path)}:${number}`, isOwn, from: library ?? 'Python' }
}

/** Reads the two lines of a frame of Go: the call with its arguments, and the indented file. */
export function readGoFrame(line: string, next: string | undefined): Frame | undefined {
	if (line.length > longest || next === undefined || next.length > longest) return undefined
	const [, path, number] = /^\t(.+\.go):(\d+)/.exec(next) ?? []
	if (path === undefined) return undefined
	const call = line
		.replace(/^created by /, '')
		.replace(/ in goroutine \d+$/, '')
		.replace(/\([^()]*\)$/, '')
	const isOwn = !/[/\\](?:go[/\\]src|libexec[/\\]src|pkg[/\\]mod|vendor)[/\\]/.test(path)
	const from = call.slice(0, call.indexOf('.', call.lastIndexOf('/')))
	return { call, place: `${baseName(path)}:${number}`, isOwn, from }
}
