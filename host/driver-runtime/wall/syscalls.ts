/**
 * System call numbers of Linux by architecture: [x86-64, AArch64]; `undefined` if the architecture lacks the call.
 * Source: `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h` of Linux 6.18.
 */
const numbers = {
	// Programs, threads and signals.
	execve: [59, 221],
	execveat: [322, 281],
	clone: [56, 220],
	clone3: [435, 435],
	fork: [57, undefined],
	vfork: [58, undefined],
	kill: [62, 129],
	tkill: [200, 130],
	tgkill: [234, 131],
	rt_sigqueueinfo: [129, 138],
	rt_tgsigqueueinfo: [297, 240],
	pidfd_open: [434, 434],
	pidfd_send_signal: [424, 424],
	pidfd_getfd: [438, 438],
	setsid: [112, 157],
	setpgid: [109, 154],
	prctl: [157, 167],
	// Sockets.
	socket: [41, 198],
	socketpair: [53, 199],
	connect: [42, 203],
	bind: [49, 200],
	listen: [50, 201],
	accept: [43, 202],
	accept4: [288, 242],
	sendto: [44, 206],
	// They can also pass descriptors, and the number of descriptors in transit is limited per user.
	sendmsg: [46, 211],
	sendmmsg: [307, 269],
	// Memory and state of other processes.
	ptrace: [101, 117],
	process_vm_readv: [310, 270],
	process_vm_writev: [311, 271],
	process_madvise: [440, 440],
	kcmp: [312, 272],
	prlimit64: [302, 261],
	setpriority: [141, 140],
	ioprio_set: [251, 30],
	sched_setaffinity: [203, 122],
	sched_setscheduler: [144, 119],
	sched_setparam: [142, 118],
	sched_setattr: [314, 274],
	migrate_pages: [256, 238],
	move_pages: [279, 239],
	// Kernel interfaces with a history of vulnerabilities or filter bypasses.
	perf_event_open: [298, 241],
	userfaultfd: [323, 282],
	io_uring_setup: [425, 425],
	io_uring_enter: [426, 426],
	io_uring_register: [427, 427],
	bpf: [321, 280],
	landlock_create_ruleset: [444, 444],
	landlock_add_rule: [445, 445],
	landlock_restrict_self: [446, 446],
	// They consume limits that all processes of a user, or of the machine, share.
	inotify_init: [253, undefined],
	inotify_init1: [294, 26],
	io_setup: [206, 0],
	add_key: [248, 217],
	request_key: [249, 218],
	keyctl: [250, 219],
	memfd_create: [319, 279],
	memfd_secret: [447, 447],
	// Shared memory and message queues.
	mmap: [9, 222],
	shmget: [29, 194],
	shmat: [30, 196],
	shmctl: [31, 195],
	msgget: [68, 186],
	msgsnd: [69, 189],
	msgrcv: [70, 188],
	msgctl: [71, 187],
	semget: [64, 190],
	semctl: [66, 191],
	semop: [65, 193],
	semtimedop: [220, 192],
	mq_open: [240, 180],
	mq_unlink: [241, 181],
	// Mounts and namespaces.
	mount: [165, 40],
	umount2: [166, 39],
	pivot_root: [155, 41],
	chroot: [161, 51],
	open_tree: [428, 428],
	move_mount: [429, 429],
	fsopen: [430, 430],
	fsconfig: [431, 431],
	fsmount: [432, 432],
	fspick: [433, 433],
	mount_setattr: [442, 442],
	unshare: [272, 97],
	setns: [308, 268],
	name_to_handle_at: [303, 264],
	open_by_handle_at: [304, 265],
	// Not covered by Landlock: metadata of files, and file watches.
	chmod: [90, undefined],
	fchmod: [91, 52],
	fchmodat: [268, 53],
	fchmodat2: [452, 452],
	chown: [92, undefined],
	lchown: [94, undefined],
	fchownat: [260, 54],
	fchown: [93, 55],
	truncate: [76, 45],
	setxattr: [188, 5],
	lsetxattr: [189, 6],
	fsetxattr: [190, 7],
	removexattr: [197, 14],
	lremovexattr: [198, 15],
	fremovexattr: [199, 16],
	utime: [132, undefined],
	utimes: [235, undefined],
	futimesat: [261, undefined],
	utimensat: [280, 88],
	inotify_add_watch: [254, 27],
	fanotify_init: [300, 262],
	fanotify_mark: [301, 263],
	quotactl: [179, 60],
	fcntl: [72, 25],
	ioctl: [16, 29],
	// The machine.
	syslog: [103, 116],
	init_module: [175, 105],
	finit_module: [313, 273],
	delete_module: [176, 106],
	kexec_load: [246, 104],
	kexec_file_load: [320, 294],
	reboot: [169, 142],
	swapon: [167, 224],
	swapoff: [168, 225],
	acct: [163, 89],
	personality: [135, 92],
	iopl: [172, undefined],
	ioperm: [173, undefined],
	modify_ldt: [154, undefined],
	sethostname: [170, 161],
	setdomainname: [171, 162],
	// Identity.
	setuid: [105, 146],
	setgid: [106, 144],
	setreuid: [113, 145],
	setregid: [114, 143],
	setresuid: [117, 147],
	setresgid: [119, 149],
	setgroups: [116, 159],
	capset: [126, 91],
} as const satisfies Readonly<Record<string, readonly [x64: number, arm64: number | undefined]>>

export type SyscallName = keyof typeof numbers

/** The supported architectures, with the audit value that seccomp reports for each. */
export const auditArch = { x64: 0xc000003e, arm64: 0xc00000b7 } as const
export type WallArch = keyof typeof auditArch

export const syscallNames = Object.keys(numbers) as readonly SyscallName[]

/** Returns the number of a call, or `undefined` if the architecture lacks it. */
export function syscallNumber(name: SyscallName, arch: WallArch): number | undefined {
	return numbers[name][arch === 'x64' ? 0 : 1]
}

/**
 * The first number without a rule. Calls from here on did not exist when the filter was written, and fail with ENOSYS.
 * The range includes x32, whose numbers begin at 0x40000000.
 */
export const firstUnknownSyscall = 453

/** Calls that the launcher makes before the filter. Both architectures share these numbers. */
export const launcherSyscalls = {
	close_range: 436,
	landlock_create_ruleset: 444,
	landlock_add_rule: 445,
	landlock_restrict_self: 446,
} as const
