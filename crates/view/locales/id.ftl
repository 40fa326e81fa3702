# Bahasa Indonesia.

## Awal permainan (dokumen 000)
title = papan: tic-tac-toe di segala papan, dan Othello
choose-game = [PILIH PERMAINAN]
choose-opponent = [PILIH LAWAN]
choose-board = [PAPAN] ({ $example }; Enter untuk { $default }) :
choose-seat = [PILIH PLAYER]
seat-first = Player 1
seat-second = Player 2
choose = [PILIH] :
opponent-human = seorang teman di papan ketik ini
choose-again = Pilihlah angka dari 1 sampai { $last }, atau ketik sebuah nama.

## Di papan
input = [INPUT] :
turn-you = Giliran Anda [{ $mark }]
turn-person = Giliran { $side } [{ $mark }]
turn-mark = Giliran { $mark }
turn-computer = Giliran komputer [{ $mark }]
turn-named = Giliran { $player } [{ $mark }]
played = { $side } bermain di { $move }
passed = { $side } tidak punya langkah dan melewatkan giliran
legal-moves = Langkah yang sah: { $moves }
discs = { $first } { $first-count }, { $second } { $second-count }
clock = Jam: { $first } { $first-time }, { $second } { $second-time }
side-first-discs = Hitam
side-second-discs = Putih
slice = lapis { $level }
undone = Ditarik kembali: { $moves }
nothing-to-undo = Tidak ada yang dapat ditarik kembali.
hint-sure = Petunjuk: { $move } ({ $strategy }, nilai { $value })
hint-guess = Petunjuk: { $move } ({ $strategy })
no-hint = Tidak ada petunjuk di sini: { $reason }
help =
    Ketik sebuah langkah: { $example }.
    Kata yang selalu berlaku:
      batal     menarik kembali langkah Anda yang terakhir
      petunjuk  apa yang akan dimainkan pemain kuat?
      langkah   langkah sejauh ini dan langkah yang sah
      bantuan   halaman ini
      keluar    meninggalkan permainan
moves-so-far = Langkah sejauh ini: { $moves }
no-moves-yet = Belum ada langkah.

## Apa yang salah
wrong-empty = Ketik sebuah langkah, atau bantuan.
wrong-not-a-move = { $text } bukan langkah. Tulislah { $expected }.
wrong-off-board = { $text } tidak ada di papan. Tulislah { $expected }.
wrong-occupied = { $move } sudah terisi. Pilihlah kotak yang kosong.
wrong-flips-nothing = Keping di { $move } tidak membalik apa pun. Langkah yang sah: { $moves }
wrong-cannot-pass = Anda hanya boleh melewatkan giliran bila tidak ada langkah lain.
wrong-must-pass = Anda tidak punya langkah lain: ketik pass.
wrong-game-over = Permainan sudah selesai.
expected-number = angka dari 1 sampai { $last }
expected-number-or-square = angka dari 1 sampai { $last }, atau kotak dari a1 sampai { $square }
expected-square = kotak dari a1 sampai { $square }, atau baris dan kolom dari 11 sampai { $last }, atau pass
wrong-answer = Jawablah 1 atau 0.

## Akhir permainan
you-win = --[SELAMAT ANDA MENANG]--
you-lose = --[MAAF ANDA KALAH]--
draw = --[SERI]--
side-wins = { $side } menang!
side-wins-discs = { $side } menang { $winner-count } lawan { $loser-count }.
player-wins = { $side } menang ({ $player }).
winning-line = Garis kemenangan: { $cells }
out-of-time = Waktu { $side } habis.
no-answer = { $player } tidak punya jawaban di sini: { $reason }. Ia menyerah.
new-game = [NEW GAME?] <1. ya, 0. tidak>
goodbye = Sampai jumpa.
input-ended = Masukan berakhir sebelum permainan selesai.
recorded = Permainan dicatat di { $file }.

## Mengapa sebuah strategi tidak dapat bermain
unplayable-wrong-game = { $strategy } tidak memainkan { $game }.
unplayable-one-board = { $strategy } hanya mengenal { $board }, bukan { $game }.
unplayable-needs-depth = { $strategy } tanpa kedalaman akan menelusuri seluruh { $board }; berikan depth=.
unplayable-too-large = { $strategy } tidak dapat menyelesaikan { $board }: papan terlalu besar.
unplayable-other = { $reason }

## Strategi
strategy-human = seorang manusia
strategy-automaton = mencari jawaban di sebuah tabel, diputar ke sudut pembukaan
strategy-minimax = memainkan semua kemungkinan dan memilih yang terburuknya terbaik
strategy-alphabeta = memilih seperti minimax, tanpa menelusuri yang tidak perlu
strategy-branch-and-bound = menang bila bisa, selain itu bertahan di tempat bidak lawan paling berat
strategy-expert = mengikuti daftar aturan: menang, block, fork, block fork, tengah, pojok, sisi
strategy-greedy = mendekat ke kemenangan dan menjauhkan lawan darinya
strategy-greedy-points = memberi poin pada tiap jenis langkah dan memilih yang terbanyak
strategy-random = mengundi di antara langkah yang sah
strategy-mcts = memainkan banyak permainan acak dan mengikuti yang menang (UCT)
strategy-perfect = mengetahui nilai setiap langkah di papan yang cukup kecil
strategy-lookup = mencari posisi dalam sebuah daftar, beserta semua bayangan simetrinya

## Daftar
list-games = Permainan
list-strategies = Pemain
list-sizes = ukuran: { $sizes }
list-default = bawaan: { $default }

## Pembuktian dan sertifikat
seat-as-first = pemain pertama
seat-as-second = pemain kedua
prove-never-loses = { $strategy } sebagai { $seat } di { $game }: tidak pernah kalah
prove-can-lose = { $strategy } sebagai { $seat } di { $game }: bisa kalah
prove-counts = { "  " }jalannya permainan: { $lines } ({ $wins } menang, { $draws } seri, { $losses } kalah)
prove-size = { "  " }posisi: { $positions }; permainan terpanjang: { $longest } langkah
prove-losing-line = { "  " }kekalahan terpendek: { $moves }
prove-certified = { "  " }sertifikat: { $file }
prove-one-seat = Sertifikat berlaku untuk satu kursi: berikan --as first atau --as second.
prove-no-answer = { $strategy } tidak punya jawaban setelah { $moves }: { $reason }
prove-progress = langkah { $ply }, { $positions } posisi, { $rate }/detik
stopped = Dihentikan. Tidak ada yang ditulis.
check-believed = { $strategy } sebagai { $seat } di { $game }: tidak pernah kalah ({ $positions } posisi diperiksa)
check-refused = { $file } ditolak: { $reason }
check-not-a-certificate = ini bukan sertifikat papan.
check-version = sertifikat ini berversi { $version }, sedangkan papan ini membaca versi 1. Papan yang lebih baru menulisnya.
check-cut = berkas terpotong di tengah.
check-changed = berkas diubah setelah ditulis; checksum-nya salah.
check-line = baris { $line } seharusnya berisi { $expected }.
check-other-game = sertifikat ini untuk { $found }, bukan untuk { $wanted }.
check-missing = { $position } bisa terjadi, dan tidak ada jawabannya.
check-loses = baris { $line }: setelah { $move } lawan menang dengan { $reply }.

## Otomata
compile-rows = { $rows } baris.
compile-same = Di setiap papan strategi itu sendiri menjawab seperti tabelnya.
compile-differs = Di papan yang tidak diputar, strategi itu sendiri akan menjawab lain pada { $count } posisi:
compile-difference = setelah { $moves } tabel memainkan { $table }, strategi { $strategy }
compile-refused = { $strategy } tidak dapat ditulis sebagai tabel: { $reason }
compile-board = tabel memuat 3x3 dengan tiga sebaris, bukan { $game }.
compile-draws-lots = setelah { $line } ia boleh memainkan salah satu dari { $moves }, sedangkan satu baris hanya memuat satu balasan.
compile-remembers = jawabannya bergantung pada lebih dari papan dan masukan; lihat permainan { $line }.
inspect-finding = baris { $line }: { $problem }
inspect-summary = { $rows } baris, { $count } temuan.
inspect-loses = Bisa kalah.
inspect-never-loses = Tidak pernah kalah.
inspect-never-loses-so-far = Tidak pernah kalah, sejauh ia punya jawaban.
inspect-no-start = Tidak ada keadaan awal: tidak ada papan dengan satu o, dan tidak ada papan kosong.
inspect-missing = papan { $board } tidak punya baris untuk masukan { $inputs }
inspect-unreachable = tidak ada permainan yang sampai ke baris ini
inspect-contradicts = bertentangan dengan baris { $earlier }, yang papan dan masukannya sama
inspect-repeats = mengulang baris { $earlier }
inspect-illegal-input = masukan di kotak yang sudah terisi
inspect-illegal-reply = balasan { $reply } tidak sah
inspect-no-reply = tidak ada balasan, padahal permainan masih berlanjut
inspect-flag = tandanya seharusnya { $flag }
inspect-missed-win = kemenangan di { $cells } terlewat
inspect-loses-with = orang menang dengan permainan { $moves }
automaton-other-side = Tabel ini tidak punya baris untuk kursi itu.
minimize-before = sebelum: { $states } state, { $transitions } transisi
minimize-after = sesudah: { $states } state, { $transitions } transisi
draw-nothing = Sebutkan tempat menggambar: --svg BERKAS atau --dot BERKAS.
graph-legend = Komputer adalah O. Panah 2/7: orang memainkan 2, komputer membalas 7. Bingkai ganda mengakhiri permainan.
graph-win = menang
graph-draw = seri
graph-loss = kalah
smallest-found = { $positions } posisi; { $tried } himpunan dicoba, dan tidak ada yang lebih kecil.
smallest-lost = Siapa pun yang bermain di sana bisa dikalahkan: tidak ada strategi yang tidak pernah kalah.

## Penjelasan
explain-move = langkah
explain-line = jalannya
explain-over = Permainan sudah selesai: tidak ada yang perlu dijelaskan.
term-wins = menang
term-value = nilai
term-plies = ply
term-name = aturan
term-table = tabel
term-row = baris
rule-win = menang
rule-block = blokir
rule-fork = fork
rule-block-fork = blokir fork
rule-centre = tengah
rule-opposite-corner = sudut seberang
rule-corner = sudut
rule-side = pinggir
why-only = { $move } adalah satu-satunya langkah yang sah.
why-wins = { $move } langsung menang.
why-row = Tabel memuat baris { $row }; diputar ke papan ini artinya { $move }.
why-opening = Tabel membuka di sana; sudut dipilih dengan undian. Undian jatuh pada { $move }.
why-lot = Undian menentukan di antara langkah yang sah; jatuh pada { $move }.
why-rule = { $move } mengikuti aturan “{ $rule }”, yang didahulukan dari “{ $other-rule }”, aturan untuk { $other }.
why-same-rule = { $move } dan { $other } sama-sama mengikuti aturan “{ $rule }”; { $move } lebih awal.
why-term = { $move } mengalahkan { $other }: { $term }-nya { $value }, lawan { $other-value }.
why-equal-before = Sebelum itu sama: { $terms }.
why-first = { $move } dan { $other } sama dalam setiap angka yang menentukan; { $move } lebih awal.
why-equal-lot = { $move } dan { $other } sama dalam setiap angka yang menentukan; undian memilih { $move }.
tree-legend = { $nodes } posisi ditelusuri. Nilai dilihat dari pemain di akar; garis tebal langkah terbaik, garis putus tidak ditelusuri.
tree-max = MAX
tree-min = MIN
tree-which = Hanya minimax dan alphabeta yang menelusuri pohon yang dapat digambar.
tree-prefer = Pohon menunjukkan nilai +1, 0 dan -1: hilangkan prefer=shortest.
tree-too-large = Pohon itu akan punya { $count } posisi di baris terakhir; yang digambar paling banyak { $most }. Berikan --tree yang lebih kecil, atau --merge.
