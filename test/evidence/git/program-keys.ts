/**
 * Every setting of git that names a program, and those whose names only look so. A key of a newer git that is
 * in neither fails the test: whoever meets it decides what it is.
 */

/** Sections without programs. */
const PLAIN =
  /^(?:advice|bundle|color|column|fsck|receive\.fsck|fetch\.fsck|gitcvs|gitweb|http|uploadpackfilter)\./;
const WORDS = [
  'alias',
  'askpass',
  'browser',
  'clean',
  'cmd',
  'command',
  'driver',
  'editor',
  'exec',
  'external',
  'filter',
  'fsmonitor',
  'helper',
  'hook',
  'httpd',
  'include',
  'insteadof',
  'pager',
  'path',
  'process',
  'program',
  'proxy',
  'receivepack',
  'script',
  'shell',
  'sign',
  'smtpserver',
  'smudge',
  'template',
  'textconv',
  'tool',
  'tunnel',
  'update',
  'uploadpack',
  'vcs',
  'viewer',
];

export function looksLikeProgram(key: string): boolean {
  return !PLAIN.test(key) && WORDS.some((word) => key.toLowerCase().includes(word));
}

/**
 * What the value is: a command line or a program (by default), a switch that makes git run one, or a folder
 * of hooks.
 */
export type Kind = 'program' | 'line' | 'on' | 'hooks' | 'settings' | 'address' | 'name';

export const PROGRAM_KEYS: Readonly<Record<string, Kind>> = {
  'alias.*': 'line',
  'browser.<tool>.cmd': 'program',
  'browser.<tool>.path': 'program',
  'commit.gpgSign': 'on',
  'core.alternateRefsCommand': 'program',
  'core.askPass': 'program',
  'core.editor': 'program',
  'core.fsmonitor': 'program',
  'core.gitProxy': 'program',
  'core.hooksPath': 'hooks',
  'core.pager': 'program',
  'core.sshCommand': 'program',
  'credential.helper': 'line',
  'diff.<driver>.command': 'program',
  'diff.<driver>.textconv': 'program',
  'diff.external': 'program',
  'diff.guitool': 'name',
  'diff.tool': 'name',
  'difftool.<tool>.cmd': 'program',
  'difftool.<tool>.path': 'program',
  'filter.<driver>.clean': 'program',
  'filter.<driver>.process': 'program',
  'filter.<driver>.smudge': 'program',
  'gpg.<format>.program': 'program',
  'gpg.program': 'program',
  'gpg.ssh.defaultKeyCommand': 'program',
  'guitool.<name>.cmd': 'program',
  'help.browser': 'name',
  'hook.<friendly-name>.command': 'program',
  'hook.<name>.command': 'program',
  'imap.tunnel': 'program',
  'include.path': 'settings',
  'includeIf.<condition>.path': 'settings',
  'init.templateDir': 'hooks',
  'instaweb.browser': 'program',
  'instaweb.httpd': 'program',
  'interactive.diffFilter': 'program',
  'log.showSignature': 'on',
  'man.<tool>.cmd': 'program',
  'man.<tool>.path': 'program',
  'man.viewer': 'name',
  'merge.<driver>.driver': 'program',
  'merge.guitool': 'name',
  'merge.tool': 'name',
  'merge.verifySignatures': 'on',
  'mergetool.<tool>.cmd': 'program',
  'mergetool.<tool>.path': 'program',
  'pager.<cmd>': 'program',
  'push.gpgSign': 'on',
  'remote.<name>.receivepack': 'program',
  'remote.<name>.uploadpack': 'program',
  'remote.<name>.vcs': 'name',
  'sendemail.ccCmd': 'program',
  'sendemail.headerCmd': 'program',
  'sendemail.sendmailCmd': 'program',
  'sendemail.smtpServer': 'program',
  'sendemail.tocmd': 'program',
  'sendemail.toCmd': 'program',
  'sequence.editor': 'program',
  'submodule.<name>.update': 'line',
  'tag.forceSignAnnotated': 'on',
  'tag.gpgSign': 'on',
  'trailer.<key-alias>.cmd': 'program',
  'trailer.<key-alias>.command': 'program',
  'trailer.<keyAlias>.cmd': 'program',
  'trailer.<keyAlias>.command': 'program',
  'trailer.<token>.cmd': 'program',
  'trailer.<token>.command': 'program',
  'uploadpack.packObjectsHook': 'program',
  'url.<base>.insteadOf': 'address',
  'url.<base>.pushInsteadOf': 'address',
  'web.browser': 'name',
};

/** Numbers, names of files, patterns, texts and choices. */
export const NO_PROGRAMS: ReadonlySet<string> = new Set(
  `branch.<name>.description clean.requireForce clone.filterSubmodules commit.cleanup commit.template
   commitGraph.changedPaths commitGraph.maxNewFilters commitGraph.readChangedPaths completion.commands
   core.fsmonitorHookVersion core.hookStdoutToStderr core.logAllRefUpdates core.quotePath credential.useHttpPath
   diff.<driver>.algorithm diff.<driver>.binary diff.<driver>.cachetextconv diff.<driver>.trustExitCode
   diff.<driver>.wordRegex diff.<driver>.xfuncname difftool.guiDefault difftool.prompt difftool.trustExitCode
   extensions.relativeWorktrees fetch.showForcedUpdates filter.<driver>.required format.coverFromDescription
   format.signOff format.signature format.signatureFile fsmonitor.allowRemote fsmonitor.socketDir
   gpg.ssh.allowedSignersFile gui.newBranchTemplate guitool.<name>.argPrompt guitool.<name>.confirm
   guitool.<name>.needsFile guitool.<name>.noConsole guitool.<name>.noRescan guitool.<name>.prompt
   guitool.<name>.revPrompt guitool.<name>.revUnmerged guitool.<name>.title help.htmlPath instaweb.modulePath
   merge.<driver>.name merge.<driver>.recursive mergetool.<tool>.hideResolved mergetool.<tool>.trustExitCode
   mergetool.<variant>.layout mergetool.guiDefault mergetool.hideResolved mergetool.keepBackup
   mergetool.keepTemporaries mergetool.meld.hasOutput mergetool.meld.useAutoMerge mergetool.prompt
   mergetool.vimdiff.layout mergetool.writeToTemp notes.rewrite.<command> pack.allowPackReuse push.useForceIfIncludes
   rebase.abbreviateCommands rebase.rescheduleFailedExec rebase.updateRefs receive.shallowUpdate
   receive.updateServerInfo remote.<name>.followRemoteHEAD remote.<name>.partialclonefilter remote.<name>.proxy
   remote.<name>.proxyAuthMethod remote.<name>.skipDefaultUpdate repack.updateServerInfo rerere.autoUpdate
   sendemail.aliasFileType sendemail.aliasesFile sendemail.signedoffbycc sendemail.signedOffByCc
   sendemail.smtpServerOption sendemail.smtpServerPort sendemail.smtpsslcertpath sendemail.smtpSSLCertPath
   sparse.expectFilesOutsideOfPatterns stash.showIncludeUntracked status.relativePaths submodule.<name>.fetchRecurseSubmodules
   uploadpack.allowAnySHA1InWant uploadpack.allowFilter uploadpack.allowReachableSHA1InWant
   uploadpack.allowRefInWant uploadpack.allowTipSHA1InWant uploadpack.blobPackfileUri uploadpack.hideRefs
   uploadpack.keepAlive user.signingKey worktree.useRelativePaths`.split(/\s+/),
);
