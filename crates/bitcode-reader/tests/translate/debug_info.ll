; ModuleID = 'debug_info.c'
source_filename = "debug_info.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%union.word = type { i32 }
%struct.list = type { i32, ptr }

@sum.last = internal global [3 x %union.word] zeroinitializer, align 4, !dbg !0
@total = internal global i32 0, align 4, !dbg !26

; Function Attrs: noinline nounwind uwtable
define dso_local i32 @sum(ptr noundef %0, i32 noundef %1, ptr noundef %2) #0 !dbg !2 {
  %4 = alloca i32, align 4
  %5 = alloca ptr, align 8
  %6 = alloca i32, align 4
  %7 = alloca ptr, align 8
  %8 = alloca i32, align 4
  %9 = alloca ptr, align 8
  %10 = alloca i32, align 4
  store ptr %0, ptr %5, align 8
    #dbg_declare(ptr %5, !45, !DIExpression(), !46)
  store i32 %1, ptr %6, align 4
    #dbg_declare(ptr %6, !47, !DIExpression(), !48)
  store ptr %2, ptr %7, align 8
    #dbg_declare(ptr %7, !49, !DIExpression(), !50)
    #dbg_declare(ptr %8, !51, !DIExpression(), !52)
  %11 = load i32, ptr %6, align 4, !dbg !53
  %12 = icmp eq i32 %11, -1, !dbg !54
  br i1 %12, label %13, label %14, !dbg !53

13:                                               ; preds = %3
  br label %19, !dbg !53

14:                                               ; preds = %3
  %15 = load ptr, ptr %7, align 8, !dbg !55
  %16 = getelementptr inbounds i8, ptr %15, i64 0, !dbg !55
  %17 = load i8, ptr %16, align 1, !dbg !55
  %18 = sext i8 %17 to i32, !dbg !55
  br label %19, !dbg !53

19:                                               ; preds = %14, %13
  %20 = phi i32 [ 0, %13 ], [ %18, %14 ], !dbg !53
  store i32 %20, ptr %8, align 4, !dbg !52
    #dbg_declare(ptr %9, !56, !DIExpression(), !58)
  %21 = load ptr, ptr %5, align 8, !dbg !59
  store ptr %21, ptr %9, align 8, !dbg !58
  br label %22, !dbg !60

22:                                               ; preds = %35, %19
  %23 = load ptr, ptr %9, align 8, !dbg !61
  %24 = icmp ne ptr %23, null, !dbg !63
  br i1 %24, label %25, label %39, !dbg !63

25:                                               ; preds = %22
    #dbg_declare(ptr %10, !64, !DIExpression(), !66)
  %26 = load ptr, ptr %9, align 8, !dbg !67
  %27 = getelementptr inbounds nuw %struct.list, ptr %26, i32 0, i32 0, !dbg !68
  %28 = load i32, ptr %27, align 8, !dbg !68
  store i32 %28, ptr %4, align 4
    #dbg_declare(ptr %4, !69, !DIExpression(), !73)
  %29 = load i32, ptr %4, align 4, !dbg !75
  %30 = load i32, ptr %4, align 4, !dbg !76
  %31 = mul nsw i32 %29, %30, !dbg !77
  store i32 %31, ptr %10, align 4, !dbg !66
  %32 = load i32, ptr %10, align 4, !dbg !78
  %33 = load i32, ptr %8, align 4, !dbg !79
  %34 = add nsw i32 %33, %32, !dbg !79
  store i32 %34, ptr %8, align 4, !dbg !79
  br label %35, !dbg !80

35:                                               ; preds = %25
  %36 = load ptr, ptr %9, align 8, !dbg !81
  %37 = getelementptr inbounds nuw %struct.list, ptr %36, i32 0, i32 1, !dbg !82
  %38 = load ptr, ptr %37, align 8, !dbg !82
  store ptr %38, ptr %9, align 8, !dbg !83
  br label %22, !dbg !84, !llvm.loop !85

39:                                               ; preds = %22
  %40 = load i32, ptr %8, align 4, !dbg !88
  store i32 %40, ptr getelementptr inbounds ([3 x %union.word], ptr @sum.last, i64 0, i64 1), align 4, !dbg !89
  %41 = load i32, ptr @total, align 4, !dbg !90
  %42 = add nsw i32 %41, 1, !dbg !90
  store i32 %42, ptr @total, align 4, !dbg !90
  %43 = load i32, ptr %8, align 4, !dbg !91
  ret i32 %43, !dbg !92
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="x86-64" "target-features"="+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87" "tune-cpu"="generic" }

!llvm.dbg.cu = !{!21}
!llvm.module.flags = !{!37, !38, !39, !40, !41, !42, !43}
!llvm.ident = !{!44}

!0 = !DIGlobalVariableExpression(var: !1, expr: !DIExpression())
!1 = distinct !DIGlobalVariable(name: "last", scope: !2, file: !3, line: 15, type: !29, isLocal: true, isDefinition: true)
!2 = distinct !DISubprogram(name: "sum", scope: !3, file: !3, line: 13, type: !4, scopeLine: 14, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !21, retainedNodes: !28)
!3 = !DIFile(filename: "debug_info.c", directory: ".", checksumkind: CSK_MD5, checksum: "522f738c09c89ebb9b52260dbff4c9cf")
!4 = !DISubroutineType(types: !5)
!5 = !{!6, !7, !12, !17}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
!8 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "list", file: !3, line: 1, size: 128, elements: !9)
!9 = !{!10, !11}
!10 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !8, file: !3, line: 1, baseType: !6, size: 32)
!11 = !DIDerivedType(tag: DW_TAG_member, name: "next", scope: !8, file: !3, line: 1, baseType: !7, size: 64, offset: 64)
!12 = !DICompositeType(tag: DW_TAG_enumeration_type, name: "colour", file: !3, line: 2, baseType: !6, size: 32, elements: !13)
!13 = !{!14, !15, !16}
!14 = !DIEnumerator(name: "RED", value: 0)
!15 = !DIEnumerator(name: "GREEN", value: 5)
!16 = !DIEnumerator(name: "BLUE", value: -1)
!17 = !DIDerivedType(tag: DW_TAG_typedef, name: "text", file: !3, line: 4, baseType: !18)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !19, size: 64)
!19 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !20)
!20 = !DIBasicType(name: "char", size: 8, encoding: DW_ATE_signed_char)
!21 = distinct !DICompileUnit(language: DW_LANG_C11, file: !3, producer: "clang", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !22, retainedTypes: !23, globals: !25, splitDebugInlining: false, nameTableKind: None)
!22 = !{!12}
!23 = !{!24}
!24 = !DIBasicType(name: "unsigned int", size: 32, encoding: DW_ATE_unsigned)
!25 = !{!0, !26}
!26 = !DIGlobalVariableExpression(var: !27, expr: !DIExpression())
!27 = distinct !DIGlobalVariable(name: "total", scope: !21, file: !3, line: 6, type: !6, isLocal: true, isDefinition: true)
!28 = !{}
!29 = !DICompositeType(tag: DW_TAG_array_type, baseType: !30, size: 96, elements: !35)
!30 = distinct !DICompositeType(tag: DW_TAG_union_type, name: "word", file: !3, line: 3, size: 32, elements: !31)
!31 = !{!32, !33}
!32 = !DIDerivedType(tag: DW_TAG_member, name: "bits", scope: !30, file: !3, line: 3, baseType: !24, size: 32)
!33 = !DIDerivedType(tag: DW_TAG_member, name: "real", scope: !30, file: !3, line: 3, baseType: !34, size: 32)
!34 = !DIBasicType(name: "float", size: 32, encoding: DW_ATE_float)
!35 = !{!36}
!36 = !DISubrange(count: 3)
!37 = !{i32 7, !"Dwarf Version", i32 5}
!38 = !{i32 2, !"Debug Info Version", i32 3}
!39 = !{i32 1, !"wchar_size", i32 4}
!40 = !{i32 8, !"PIC Level", i32 2}
!41 = !{i32 7, !"PIE Level", i32 2}
!42 = !{i32 7, !"uwtable", i32 2}
!43 = !{i32 7, !"frame-pointer", i32 2}
!44 = !{!"clang"}
!45 = !DILocalVariable(name: "first", arg: 1, scope: !2, file: !3, line: 13, type: !7)
!46 = !DILocation(line: 13, column: 22, scope: !2)
!47 = !DILocalVariable(name: "colour", arg: 2, scope: !2, file: !3, line: 13, type: !12)
!48 = !DILocation(line: 13, column: 41, scope: !2)
!49 = !DILocalVariable(name: "name", arg: 3, scope: !2, file: !3, line: 13, type: !17)
!50 = !DILocation(line: 13, column: 54, scope: !2)
!51 = !DILocalVariable(name: "result", scope: !2, file: !3, line: 16, type: !6)
!52 = !DILocation(line: 16, column: 6, scope: !2)
!53 = !DILocation(line: 16, column: 15, scope: !2)
!54 = !DILocation(line: 16, column: 22, scope: !2)
!55 = !DILocation(line: 16, column: 36, scope: !2)
!56 = !DILocalVariable(name: "here", scope: !57, file: !3, line: 17, type: !7)
!57 = distinct !DILexicalBlock(scope: !2, file: !3, line: 17, column: 2)
!58 = !DILocation(line: 17, column: 20, scope: !57)
!59 = !DILocation(line: 17, column: 27, scope: !57)
!60 = !DILocation(line: 17, column: 7, scope: !57)
!61 = !DILocation(line: 17, column: 34, scope: !62)
!62 = distinct !DILexicalBlock(scope: !57, file: !3, line: 17, column: 2)
!63 = !DILocation(line: 17, column: 2, scope: !57)
!64 = !DILocalVariable(name: "part", scope: !65, file: !3, line: 18, type: !6)
!65 = distinct !DILexicalBlock(scope: !62, file: !3, line: 17, column: 59)
!66 = !DILocation(line: 18, column: 7, scope: !65)
!67 = !DILocation(line: 18, column: 21, scope: !65)
!68 = !DILocation(line: 18, column: 27, scope: !65)
!69 = !DILocalVariable(name: "side", arg: 1, scope: !70, file: !3, line: 8, type: !6)
!70 = distinct !DISubprogram(name: "square", scope: !3, file: !3, line: 8, type: !71, scopeLine: 9, flags: DIFlagPrototyped, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition, unit: !21, retainedNodes: !28)
!71 = !DISubroutineType(types: !72)
!72 = !{!6, !6}
!73 = !DILocation(line: 8, column: 61, scope: !70, inlinedAt: !74)
!74 = distinct !DILocation(line: 18, column: 14, scope: !65)
!75 = !DILocation(line: 10, column: 9, scope: !70, inlinedAt: !74)
!76 = !DILocation(line: 10, column: 16, scope: !70, inlinedAt: !74)
!77 = !DILocation(line: 10, column: 14, scope: !70, inlinedAt: !74)
!78 = !DILocation(line: 19, column: 13, scope: !65)
!79 = !DILocation(line: 19, column: 10, scope: !65)
!80 = !DILocation(line: 20, column: 2, scope: !65)
!81 = !DILocation(line: 17, column: 47, scope: !62)
!82 = !DILocation(line: 17, column: 53, scope: !62)
!83 = !DILocation(line: 17, column: 45, scope: !62)
!84 = !DILocation(line: 17, column: 2, scope: !62)
!85 = distinct !{!85, !63, !86, !87}
!86 = !DILocation(line: 20, column: 2, scope: !57)
!87 = !{!"llvm.loop.mustprogress"}
!88 = !DILocation(line: 21, column: 27, scope: !2)
!89 = !DILocation(line: 21, column: 15, scope: !2)
!90 = !DILocation(line: 22, column: 7, scope: !2)
!91 = !DILocation(line: 23, column: 9, scope: !2)
!92 = !DILocation(line: 23, column: 2, scope: !2)
