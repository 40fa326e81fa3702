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

## Daftar
list-games = Permainan
list-strategies = Pemain
list-sizes = ukuran: { $sizes }
list-default = bawaan: { $default }

## Peramban
web-skip = Langsung ke isi
web-nav = Halaman utama
web-play = Main
web-analysis = Analisis
web-laboratory = Laboratorium
web-language = Bahasa
web-home-title = Mainkan permainan papan
web-home-lead = Tic-tac-toe di segala papan, dan Othello: melawan komputer, teman, atau hanya menonton. Tanpa akun.
web-choose-game = Pilih permainan
web-other-game = Atau papan lain, dengan namanya
web-clock = Jam
web-minutes = Menit untuk masing-masing
web-no-clock = tanpa jam
web-increment = Detik tambahan tiap langkah
web-clock-too-long = Jam paling lama { $most } detik.
web-seat = Kursi Anda
web-seat-first = bermain pertama
web-seat-second = kedua
web-seat-either = mana saja, diundi
web-computer = Lawan komputer
web-opponent = Lawan
web-first-player = Pemain pertama
web-second-player = Pemain kedua
web-parameters = Parameter
web-start-computer = Lawan komputer
web-friend = Lawan teman
web-friend-text = Anda mendapat tautan untuk dikirim. Siapa yang membukanya mengambil kursi lain; pengunjung lain menonton.
web-start-friend = Buat tautan
web-screen = Berdua di layar ini
web-screen-text = Anda bergantian dengan seseorang di sebelah Anda.
web-start-screen = Main di layar ini
web-watch = Menonton
web-start-watch = Tonton permainan
web-family-tictactoe = Tic-tac-toe
web-family-othello = Othello
web-waiting = Menunggu pemain lain
web-your-turn = Giliran Anda ({ $side })
web-their-turn = Giliran { $side }
web-thinking = { $side } sedang berpikir
web-after-move = Setelah langkah { $number } dari { $last }
web-must-pass = { $side } tidak punya langkah dan harus melewatkan giliran.
web-draw = Seri
web-resigned = { $side } menyerah.
web-players = Pemain
web-you = Anda
web-seat-free = kursi kosong
web-pass = Lewati giliran
web-type-a-move = Atau ketik langkah
web-play-it = Mainkan
web-cell = { $name }, baris { $row }, kolom { $column }, { $content }
web-cell-empty = kosong
web-cell-legal = langkah sah
web-cell-last = langkah terakhir
web-cell-flipped = terbalik
web-cell-winning = menang
web-cell-chosen = terpilih
web-invite-title = Undang pemain lain
web-invite-text = Kirim tautan ini kepada satu orang. Hanya berlaku sekali.
web-invite-link = Tautan undangan
web-copy = Salin
web-asks-back = { $side } meminta menarik kembali langkah.
web-offers-rematch = { $side } menawarkan tanding ulang dengan kursi ditukar.
web-agree = Setuju
web-decline = Tolak
web-ask-back = Minta tarik kembali
web-take-back = Tarik kembali
web-resign = Menyerah
web-rematch = Tanding ulang, tukar kursi
web-to-the-rematch = Ke tanding ulang
web-hint = Petunjuk
web-why = Mengapa?
web-why-text = { $strategy } bermain di { $move }. Inilah angka-angkanya pada posisi sebelumnya.
web-close = Kembali ke permainan
web-review = Ulasan
web-analyse = Analisis
web-moves = Langkah
web-walk = Telusuri permainan
web-walk-start = Awal
web-walk-back = Mundur
web-walk-on = Maju
web-walk-end = Akhir
web-share = Bagikan
web-watch-link = Tautan untuk menonton
web-move-text = Langkah sebagai teks
web-record = Catatan
web-reasons = Pendapat strategi tentang tiap langkah
web-move = Langkah
web-score = Nilai
web-numbers = Angka
web-expects = Perkiraan
web-score-win = menang dalam { $plies }
web-score-loss = kalah dalam { $plies }
web-score-draw = seri
web-join-title = Undangan
web-join-text = Anda diundang bermain { $game } sebagai { $side }.
web-join = Ambil kursi
web-only-watch = Hanya menonton
web-show-scores = Nilai tiap langkah
web-hide-scores = Sembunyikan nilai
web-explain = Jelaskan
web-explain-lead = Tanyai strategi mana pun apa yang akan dimainkannya pada suatu posisi, dan baca angkanya di papan.
web-strategy = Strategi
web-ask = Tanya
web-set-up = Atur posisi
web-game = Permainan
web-position = Posisi
web-position-help = Kotak berurutan: X pemain pertama, O kedua, - kosong; lalu yang mendapat giliran.
web-import = Impor
web-import-text = Langkah atau catatan
web-opinion = { $strategy } akan bermain di { $move } ({ $nodes } simpul).
web-bad-move = Langkah { $move }: { $reason }.
web-review-running = Ulasan sedang dibuat.
web-review-by = Diulas oleh
web-mistakes = Kesalahan
web-curve = Jalannya permainan
web-curve-help = Di atas tengah pemain pertama unggul, di bawahnya pemain kedua.
web-side = Pihak
web-verdict = Penilaian
web-better = Lebih baik
web-mistake = kesalahan, rugi { $lost }
web-good-move = baik
web-laboratory-lead = Lihat mengapa sebuah strategi bergerak demikian.
web-refused = Tidak berhasil
web-to-the-game = Ke permainan
web-to-the-start = Ke halaman pertama
web-not-found = Tidak ada apa-apa di alamat ini.
web-not-your-seat = Kursi ini bukan milik Anda.
web-gone-on = Permainan sudah berlanjut sejak Anda melihatnya.
web-not-your-turn = Bukan giliran Anda.
web-not-over = Permainan belum selesai.
web-not-asked = Tidak ada yang memintanya.
web-invitation-spent = Undangan ini sudah dipakai. Anda dapat menonton permainannya.
web-key-reused = Kunci ini sudah dipakai untuk permintaan lain.
web-too-many = Terlalu banyak permintaan. Coba lagi dalam { $seconds } detik.
web-busy = Mesin sedang sibuk. Coba lagi sebentar.
web-foreign-site = Permintaan ini berasal dari situs lain.
web-wrong-method = Alamat ini tidak menerima cara itu.
web-too-large = Ini terlalu banyak sekaligus.
web-broken = Ada yang rusak di server. Sudah dicatat.
web-no-files = Strategi yang membaca berkas tidak dapat dipakai di sini.
