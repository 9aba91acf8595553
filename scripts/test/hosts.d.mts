export type InstallableHost = 'codex' | 'copilot' | 'droid' | 'qwen' | 'gemini' | 'opencode' | 'pi';

interface InstallablePackage {
  package: string;
  version: string;
  program: string;
}

export const HOSTS: Readonly<Record<InstallableHost, InstallablePackage>>;

export type InstallableNode = 'node-20' | 'node-22' | 'node-24' | 'node-26';

export const NODES: Readonly<Record<InstallableNode, InstallablePackage>>;

export type AcpPackage = 'kilo' | 'cline' | 'kimi' | 'codex-acp' | 'claude-agent-acp' | 'pi-acp';

export const ACP_PACKAGES: Readonly<Record<AcpPackage, InstallablePackage>>;

/** The path of its program, or why there is none. */
export function installedHost(
  name:
    | InstallableHost
    | InstallableNode
    | AcpPackage
    | 'node-windows'
    | 'git-windows'
    | 'pg-boss'
    | 'temporal'
    | 'kubernetes'
    | 'keda',
): { program: string; missing?: never } | { program?: never; missing: string };
