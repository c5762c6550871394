"""What people write down, in both languages: titles, lines and lists that the notes of a world are made of."""

from __future__ import annotations

from mobilegym.world.dates import Locale

FOLDERS: dict[Locale, tuple[str, ...]] = {
    "en": ("Home", "Work", "Recipes", "Trips", "Ideas", "Family"),
    "zh": ("家里", "工作", "菜谱", "旅行", "点子", "家人"),
}
# Places that have a locker; each becomes a note of the same kind.
LOCKERS: dict[Locale, tuple[str, ...]] = {
    "en": ("Gym", "Pool", "Station", "Office", "Library", "Club", "Studio", "Harbor"),
    "zh": ("健身房", "泳池", "车站", "办公室", "图书馆", "俱乐部", "画室", "码头"),
}
LOCKER: dict[Locale, tuple[str, str]] = {
    "en": ("{place} locker", "Locker {number}\nCode {code}\nOpen until {hour}:30"),
    "zh": ("{place}储物柜", "柜号 {number}\n密码 {code}\n开放到{hour}:30"),
}
DISHES: dict[Locale, tuple[str, ...]] = {
    "en": ("Plum cake", "Oat bread", "Fish pie", "Leek tart", "Bean stew", "Pear crumble", "Potato bake", "Nut loaf"),
    "zh": ("李子蛋糕", "燕麦面包", "烤鱼", "韭葱派", "炖豆子", "香梨酥", "烤土豆", "坚果饼"),
}
RECIPE: dict[Locale, str] = {
    "en": "Oven {heat} degrees\nBake {minutes} minutes\n{flour} g flour\n{eggs} eggs\nLet it rest before cutting.",
    "zh": "烤箱{heat}度\n烤{minutes}分钟\n面粉{flour}克\n鸡蛋{eggs}个\n切之前先放一会儿。",
}
MEETINGS: dict[Locale, tuple[str, ...]] = {
    "en": ("Team call", "Budget talk", "Design review", "Site visit", "Year plan", "Hiring round"),
    "zh": ("组会", "预算讨论", "设计评审", "现场走访", "年度计划", "招聘面试"),
}
MEETING: dict[Locale, str] = {
    "en": "Room {room}, at {hour}:30\nAsk {who} about the numbers\nBring the printed plan",
    "zh": "{room}号会议室，{hour}:30\n向{who}确认数据\n带上打印的方案",
}
GIFT_TITLE: dict[Locale, str] = {"en": "Gift for {who}", "zh": "送{who}的礼物"}
GIFTS: dict[Locale, tuple[str, ...]] = {
    "en": ("a wool scarf", "a desk lamp", "a teapot", "a kite", "a pocket atlas", "a bread knife", "a fern in a pot"),
    "zh": ("羊毛围巾", "台灯", "茶壶", "风筝", "口袋地图册", "面包刀", "盆栽蕨"),
}
GIFT: dict[Locale, str] = {
    "en": "Idea: {gift}\nUp to {price} dollars\nOrder two weeks before",
    "zh": "想法：{gift}\n不超过{price}元\n提前两周下单",
}
ROOMS: dict[Locale, tuple[str, ...]] = {
    "en": ("Kitchen", "Bedroom", "Hall", "Attic", "Cellar"),
    "zh": ("厨房", "卧室", "门厅", "阁楼", "地下室"),
}
WINDOW: dict[Locale, tuple[str, str]] = {
    "en": ("{room} window", "Width {width} cm\nHeight {height} cm\nMeasure again before ordering"),
    "zh": ("{room}窗户", "宽{width}厘米\n高{height}厘米\n订购前再量一次"),
}
PLAIN: dict[Locale, tuple[tuple[str, str], ...]] = {
    "en": (
        ("Morning walk", "Out by seven, along the quay and back over the old bridge.\nThe heron was there again."),
        ("Bike repair", "New chain and brake pads.\nAsk whether the back wheel is still true."),
        ("Books to read", "The Salt Road\nA Lamp for Winter\nNine Bridges"),
        ("Roof leak", "Drips above the stairs when the wind is from the east.\nThe landlord sends somebody on Friday."),
        ("Choir songs", "The slow one first, then the round.\nWater for everybody, and spare copies."),
        ("Garden plan", "Beans along the fence, two rows of leeks.\nThe pear tree needs a stake."),
        ("Parking", "Level 3, near the lift.\nThe ticket is in the left pocket."),
        ("Moving day", "Van at nine. Beds first, books last.\nKeys go to the neighbour on the second floor."),
        ("Shop hours", "Bakery until six, closed on Mondays.\nThe hardware shop opens at eight."),
        ("Paint colors", "Hall: warm grey. Attic: pale green.\nTwo coats each."),
        ("Language class", "Chapter five, the words on the left page only."),
        ("Old phone", "The charger lies in the drawer under the printer."),
        (
            "Letter draft",
            "Thank you for the long weekend. The children still speak of it.\nCome to us in spring.",
        ),
        ("Dream", "A staircase in the station that led to a library of maps."),
        (
            "Everything that has to be done before the winter comes",
            "Clean the gutters, stack the wood, look at the chimney.\n"
            "The tyres are at the garage behind the mill; ring first.\n"
            "Blankets from the attic, salt for the steps, oil for the gate.\n"
            "And the lamp by the door has flickered since August.",
        ),
        ("🎈 Party", "Lanterns in the yard, music until ten.\nBoth neighbours know."),
        ("", "Call back about the second key\nIt should be cut by Thursday."),
    ),
    "zh": (
        ("晨间散步", "七点前出门，沿着码头走，再从旧桥回来。\n那只白鹭又在。"),
        ("修自行车", "换链条和刹车片。\n问问后轮还正不正。"),
        ("想读的书", "盐路\n冬天的灯\n九座桥"),
        ("屋顶漏水", "刮东风时楼梯上方会滴水。\n房东周五派人来。"),
        ("合唱曲目", "先唱慢的那首，再唱轮唱。\n给大家准备水和备用歌谱。"),
        ("菜园计划", "篱笆边种豆子，再种两行韭葱。\n梨树要加支柱。"),
        ("停车位置", "三层，靠近电梯。\n停车票在左边口袋里。"),
        ("搬家日", "九点来车。先搬床，最后搬书。\n钥匙交给二楼的邻居。"),
        ("商店时间", "面包房到六点，周一休息。\n五金店八点开门。"),
        ("油漆颜色", "门厅用暖灰，阁楼用浅绿。\n各刷两遍。"),
        ("语言课", "第五章，只背左页的单词。"),
        ("旧手机", "充电器在打印机下面的抽屉里。"),
        ("信的草稿", "谢谢你们那个长周末的招待，孩子们还在说那条船。\n春天来我们家吧。"),
        ("一个梦", "车站里有一段楼梯，通向一座地图图书馆。"),
        (
            "冬天来之前一定要全部做完的事情",
            "清理檐沟，码好木柴，检查烟囱。\n轮胎在磨坊后面的修车铺，先打电话。\n"
            "从阁楼拿毯子，给台阶备盐，给大门上油。\n门口的灯从八月起就一直闪。",
        ),
        ("🎈 聚会", "院子里挂灯笼，音乐放到十点。\n两家邻居都说过了。"),
        ("", "回电话问第二把钥匙\n周四应该能配好。"),
    ),
}
# Titles of checklists and what may stand on them.
LISTS: dict[Locale, dict[str, tuple[str, ...]]] = {
    "en": {
        "Groceries": ("milk", "eggs", "rice", "leeks", "pears", "soap", "flour", "tea", "beans", "butter"),
        "Packing": ("socks", "torch", "charger", "towel", "scarf", "atlas", "raincoat", "soap bag", "book"),
        "Hardware": ("nails", "glue", "hinges", "tape", "sandpaper", "hooks", "lamp oil"),
        "Cleaning": ("windows", "stairs", "oven", "cellar", "gutters", "carpet"),
        "Camping": ("tent", "stove", "matches", "rope", "kettle", "map", "blanket", "pegs"),
        "Errands": ("bank", "post", "tailor", "library", "bakery", "garage"),
        "Party list": ("lanterns", "juice", "plates", "cake", "music", "ice"),
        "Baby shower": ("balloons", "cards", "ribbon", "candles", "cups"),
    },
    "zh": {
        "买菜": ("牛奶", "鸡蛋", "大米", "韭葱", "梨", "肥皂", "面粉", "茶叶", "豆子", "黄油"),
        "打包": ("袜子", "手电", "充电器", "毛巾", "围巾", "地图", "雨衣", "洗漱包", "书"),
        "五金": ("钉子", "胶水", "合页", "胶带", "砂纸", "挂钩", "灯油"),
        "打扫": ("窗户", "楼梯", "烤箱", "地下室", "檐沟", "地毯"),
        "露营": ("帐篷", "炉子", "火柴", "绳子", "水壶", "路线图", "毯子", "地钉"),
        "跑腿": ("银行", "邮局", "裁缝", "还书", "面包房", "修车铺"),
        "派对": ("灯笼", "果汁", "盘子", "蛋糕", "音乐", "冰块"),
        "迎新": ("气球", "卡片", "丝带", "蜡烛", "杯子"),
    },
}
