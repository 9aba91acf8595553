// taskkill.exe /pid N /t /f: ends a process with all that are below it. The one of Wine 8 knows no /t.
#include <windows.h>
#include <stdlib.h>
#include <string.h>
#include <tlhelp32.h>

#define MOST 4096

int main(int count, char **words)
{
    static DWORD family[MOST];
    DWORD size = 0, seen = 0;
    PROCESSENTRY32 entry = {.dwSize = sizeof entry};
    HANDLE list = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    for (int at = 1; at + 1 < count; at++)
        if (_stricmp(words[at], "/pid") == 0) family[size++] = strtoul(words[at + 1], NULL, 10);
    if (size == 0 || family[0] == 0) return 128;
    // Its children go into the list behind it, and theirs behind them.
    for (; seen < size; seen++)
        for (BOOL more = Process32First(list, &entry); more && size < MOST; more = Process32Next(list, &entry))
            if (entry.th32ParentProcessID == family[seen]) family[size++] = entry.th32ProcessID;
    int status = 128;
    for (DWORD at = 0; at < size; at++) {
        HANDLE process = OpenProcess(PROCESS_TERMINATE, FALSE, family[at]);
        if (process != NULL && TerminateProcess(process, 1) && at == 0) status = 0;
    }
    return status;
}
