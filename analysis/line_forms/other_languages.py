"""What a shell, a compiler or the C library says in another language, in English: patterns and causes know it so.

The words are those of the translations that glibc, bash, sudo, GCC, GNU ld and Windows have.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ..cleaning import compiled

SAID: dict[str, str] = {
    "command not found": "未找到命令|找不到命令|指令找不到|找不到指令|コマンドが見つかりません|명령어를 찾을 수 없음|명령이 없습니다|"
    "Kommando nicht gefunden.|Befehl nicht gefunden.|Befehl nicht gefunden|commande introuvable|orden no encontrada",
    "No such file or directory": "没有那个文件或目录|沒有此一檔案或目錄|そのようなファイルやディレクトリはありません|그런 파일이나 디렉터리가 없습니다|"
    "Datei oder Verzeichnis nicht gefunden|Aucun fichier ou dossier de ce type|No existe el archivo o el directorio|No existe el fichero o el directorio",
    "Permission denied": "权限不够|拒絕不符權限的操作|許可がありません|허가 거부됨|허가 거부|Keine Berechtigung|Permission non accordée|Permiso denegado",
    "No space left on device": "设备上没有空间|裝置上已無多餘空間|デバイスに空き領域がありません|장치에 남은 공간이 없음|"
    "Auf dem Gerät ist kein Speicherplatz mehr verfügbar|Aucun espace disponible sur le périphérique|No queda espacio en el dispositivo",
    "Cannot allocate memory": "无法分配内存|無法配置記憶體|メモリを確保できません|메모리를 할당할 수 없습니다|Nicht genügend Hauptspeicher verfügbar",
    "Exec format error": "可执行文件格式错误|可執行檔格式錯誤|実行形式エラー|Exec 형식 오류|Fehler im Format der Programmdatei",
    "cannot execute binary file": "无法执行二进制文件|無法執行二進位檔案|バイナリファイルを実行できません|이진 파일을 실행할 수 없음|Kann die Binärdatei nicht ausführen",
    "Segmentation fault": "段错误|程式記憶體區段錯誤|セグメンテーションフォルト|세그멘테이션 오류|세그먼테이션 오류|Speicherzugriffsfehler|"
    "Erreur de segmentation|Violación de segmento",
    "Killed": "已杀死|強制終了|죽었음|Getötet",
    "(core dumped)": "（核心已转储）|(核心已转储)|(核心已傾印)|(コアダンプ)|(코어 덤프됨)|(Speicherabzug geschrieben)",
    "fatal error: ": "致命错误：|嚴重錯誤：|致命的エラー: |치명적 오류: |schwerwiegender Fehler: |erreur fatale : |erreur fatale: |error fatal: ",
}  # fmt: skip
"""What is said in English, and the same in other languages."""
_ENGLISH = {other: english for english, others in SAID.items() for other in others.split("|")}
_PHRASE = "|".join(map(re.escape, sorted(_ENGLISH, key=len, reverse=True)))
_BLANK = rf" : (?={'|'.join(map(re.escape, SAID))})"
"""What stands before one of them in French."""
_WITH_NAMES = (
    ("不是内部或外部命令|不是內部或外部命令|は、内部コマンド|내부 또는 외부 명령|entweder falsch geschr",
     r"'(?P<name>[^'\n]{1,200})' ?(?:不是内部或外部命令|不是內部或外部命令|は、内部コマンドまたは外部コマンド|은\(는\) 내부 또는 외부 명령)[^\n]{0,80}|"
     r'Der Befehl "(?P<German>[^"\n]{1,200})" ist entweder falsch geschrieben oder[^\n]{0,80}',
     "'{}' is not recognized as an internal or external command,"),
    ("项识别为 cmdlet|は、コマンドレット|wurde nicht als Name",
     r"[^\n]{0,300}(?:无法将[“\"'](?P<name>[^”\"'\n]{1,200})[”\"']项识别为 cmdlet|用語 '(?P<Japanese>[^'\n]{1,200})' は、コマンドレット|"
     r"Die Benennung \"(?P<German>[^\"\n]{1,200})\" wurde nicht als Name eines Cmdlet)[^\n]{0,400}",
     "The term '{}' is not recognized as the name of a cmdlet, function, script file, or operable program."),
    ("未定义的引用|定義されていない参照です|Nicht definierter Verweis|sin definir|érence indéfinie",
     r"(?P<place>[^\n]{0,300}?)(?:对[‘“'\"](?P<name>[^’”'\"\n]{1,300})[’”'\"]未定义的引用|[`‘'](?P<Japanese>[^'’\n]{1,300})['’] に対する定義されていない参照です|"
     r"Nicht definierter Verweis auf »(?P<German>[^«\n]{1,300})«|referencia a `(?P<Spanish>[^'\n]{1,300})' sin definir|"
     r"référence indéfinie vers «\s?(?P<French>[^»\n]{1,300}?)\s?»)",
     "{place}undefined reference to `{}'"),
    ("区域|區域|領域",
     r"(?P<place>[^\n]{0,300}?)(?:区域|區域|領域) [`‘“'\"]?(?P<name>[\w.]{1,60})['’”\"]? (?:溢出了|溢位了|が) ?(?P<bytes>\d{1,12}) ?(?:字节|位元組|バイト溢れました)",
     "{place}region `{}' overflowed by {bytes} bytes"),
    ("collect2: ",
     r"collect2: (?:错误：|錯誤：|エラー: ?|Fehler: |erreur ?: |error: )ld (?:返回|回傳|はステータス|gab|a retourné le statut de sortie|devolvió el estado de salida) ?"
     r"(?P<name>\d{1,4})[^\n]{0,40}",
     "collect2: error: ld returned {} exit status"),
    ("无法访问|無法存取",
     r"(?:致命错误：|嚴重錯誤：|fatal: )(?:无法访问|無法存取) '(?P<name>[^'\n]{1,300})'[：:] ?(?P<why>[^\n]{1,400})", "fatal: unable to access '{}': {why}"),
    ("错误：|錯誤：|エラー: |오류: |Fehler: |erreur ?: ",
     r"(?P<place>[^\n]{1,300}?:\d{1,7}(?::\d{1,5})?: )(?:错误：|錯誤：|エラー: |오류: |Fehler: |erreur ?: )(?P<name>[^\n]{1,400})", "{place}error: {}"),
)  # fmt: skip
"""Sentences that have a name or a number inside of them, behind words that each of them holds."""
_AROUND = ("place", "bytes", "why")
"""What stands around that name, by the names of its groups; any other group is the name itself."""
MARKS = (
    "gefunden", "Der Befehl ", "wurde nicht als", "Verweis auf", "Keine Ber", "peicherz", "Speicherabzug", "Fehler", "rreur", "introuvable", "de ce type",
    "encontrada", "existe el ", "queda esp", "denegado", "sin definir", "error fatal",
)  # fmt: skip
"""Each of these sentences that has none but Latin letters without accents holds one of these."""
_FURTHER = "|".join(
    re.escape(one.removeprefix("(").removeprefix("Exec "))
    for one in (*_ENGLISH, *(word for words, _, _ in _WITH_NAMES for word in words.split("|")))
    if not one.isascii() and not any(mark in one for mark in MARKS)
)
"""What all others hold, without a beginning that English has too: the search would stop at each."""
_LONGEST = 2_000
_BRACKETS = str.maketrans({"：": ": ", "‘": "'", "’": "'", "“": "'", "”": "'", "「": "'", "」": "'"})


def in_english(message: str) -> str:
    """The same in English; the message itself where it is none of these sentences."""
    return _told(message) if len(message) <= _LONGEST and _may_be_told(message) else message


@lru_cache(16)
def _told(message: str) -> str:
    """The same; asked for a line as it is matched, and again as it is told to who hears of the host."""
    for words, sentence, english in _WITH_NAMES:
        found = compiled(sentence).fullmatch(message) if compiled(words).search(message) is not None else None
        if found is not None:
            parts = {name: _phrases(value) for name, value in found.groupdict("").items()}
            name = next(value for part, value in parts.items() if value and part not in _AROUND)
            return english.format(name.strip(), **{part: parts.get(part, "") for part in _AROUND})
    return _phrases(message)


def _may_be_told(message: str) -> bool:
    """Whether it may be one of these sentences."""
    for mark in MARKS:  # no generator: this is asked for each line of a build that says something
        if mark in message:
            return True
    return in_other_letters(message)


def in_other_letters(message: str) -> bool:
    """Whether it may be one of those with other letters than English has."""
    return not message.isascii() and compiled(_FURTHER).search(message) is not None


def _phrases(message: str) -> str:
    said = compiled(_PHRASE).sub(lambda phrase: _ENGLISH[phrase[0]], message)
    if said == message:
        return message
    said = compiled(_BLANK).sub(": ", said)
    return said if said.isascii() else said.translate(_BRACKETS)
